#define _GNU_SOURCE
#include "CWaybillSQLite.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { no_checkpoint_on_close = 1006 };

int waybill_sqlite_set_checkpoint_on_close(const waybill_sqlite_functions *functions, sqlite3 *database, int enabled) {
  return functions->db_config(database, no_checkpoint_on_close, enabled ? 0 : 1, (int *)NULL);
}

enum { type_integer = 1, type_real = 2, type_null = 5, encoding_utf8 = 1, deterministic = 0x800 };

// Both steps are bijections: a change within one word always changes the result.
static uint64_t mixed(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
  return sum ^ sum >> 32;
}

typedef void *(*user_data_function)(sqlite3_context *);

// One library serves all connections of a process, so its function table is shared.
static _Atomic(user_data_function) user_data;

static void checksum(sqlite3_context *context, int count, sqlite3_value **values) {
  const waybill_sqlite_functions *functions = atomic_load(&user_data)(context);
  uint64_t sum = 0;
  for (int index = 0; index < count; index++) {
    sqlite3_value *value = values[index];
    int type = functions->value_type(value);
    sum = mixed(sum, (uint64_t)type);
    if (type == type_integer) {
      sum = mixed(sum, (uint64_t)functions->value_int64(value));
    } else if (type == type_real) {
      double number = functions->value_double(value);
      uint64_t word;
      memcpy(&word, &number, sizeof word);
      sum = mixed(sum, word);
    } else if (type != type_null) {
      const char *bytes = functions->value_blob(value);
      size_t length = bytes == NULL ? 0 : (size_t)functions->value_bytes(value);
      sum = mixed(sum, length);
      for (size_t start = 0; start < length; start += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + start, length - start < 8 ? length - start : 8);
        sum = mixed(sum, word);
      }
    }
  }
  functions->result_int64(context, (long long)sum);
}

int waybill_sqlite_add_checksum(const waybill_sqlite_functions *functions, sqlite3 *database) {
  waybill_sqlite_functions *copy = malloc(sizeof *copy);
  if (copy == NULL) return 7;
  *copy = *functions;
  atomic_store(&user_data, functions->user_data);
  // It frees the copy also if it fails.
  return functions->create_function_v2(database, "waybill_checksum", -1, encoding_utf8 | deterministic, copy, checksum,
                                       NULL, NULL, free);
}

// Every function of the table, by its name.
#define FUNCTIONS(EACH)                                                                                                \
  EACH(libversion_number)                                                                                              \
  EACH(open_v2)                                                                                                        \
  EACH(close_v2)                                                                                                       \
  EACH(prepare_v2)                                                                                                     \
  EACH(step)                                                                                                           \
  EACH(reset)                                                                                                          \
  EACH(finalize)                                                                                                       \
  EACH(clear_bindings)                                                                                                 \
  EACH(bind_parameter_count)                                                                                           \
  EACH(bind_null)                                                                                                      \
  EACH(bind_int64)                                                                                                     \
  EACH(bind_double)                                                                                                    \
  EACH(bind_text)                                                                                                      \
  EACH(bind_blob)                                                                                                      \
  EACH(column_count)                                                                                                   \
  EACH(column_type)                                                                                                    \
  EACH(column_int64)                                                                                                   \
  EACH(column_double)                                                                                                  \
  EACH(column_text)                                                                                                    \
  EACH(column_blob)                                                                                                    \
  EACH(column_bytes)                                                                                                   \
  EACH(changes)                                                                                                        \
  EACH(last_insert_rowid)                                                                                              \
  EACH(get_autocommit)                                                                                                 \
  EACH(busy_timeout)                                                                                                   \
  EACH(extended_result_codes)                                                                                          \
  EACH(extended_errcode)                                                                                               \
  EACH(errmsg)                                                                                                         \
  EACH(errstr)                                                                                                         \
  EACH(db_config)                                                                                                      \
  EACH(progress_handler)                                                                                               \
  EACH(backup_init)                                                                                                    \
  EACH(backup_step)                                                                                                    \
  EACH(backup_finish)                                                                                                  \
  EACH(create_function_v2)                                                                                             \
  EACH(user_data)                                                                                                      \
  EACH(value_type)                                                                                                     \
  EACH(value_int64)                                                                                                    \
  EACH(value_double)                                                                                                   \
  EACH(value_blob)                                                                                                     \
  EACH(value_bytes)                                                                                                    \
  EACH(result_int64)

#if defined(__linux__) && !defined(__ANDROID__)

#include <dlfcn.h>

// The library stays loaded: statements of connections that are still open are in it.
WaybillSQLiteLoading waybill_sqlite_load(const char *name, waybill_sqlite_functions *functions, char *message,
                                         int size) {
  static const struct {
    const char *name;
    size_t offset;
  } symbols[] = {
#define SYMBOL(function) {"sqlite3_" #function, offsetof(waybill_sqlite_functions, function)},
      FUNCTIONS(SYMBOL)
#undef SYMBOL
  };
  const char *file = name == NULL ? "libsqlite3.so.0" : name;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(message, (size_t)size, "%s", reason == NULL ? file : reason);
    return WaybillSQLiteLoadingMissing;
  }
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) {
      snprintf(message, (size_t)size, "%s has no %s", file, symbols[index].name);
      dlclose(library);
      return WaybillSQLiteLoadingForeign;
    }
    memcpy((char *)functions + symbols[index].offset, &symbol, sizeof symbol);
  }
  return WaybillSQLiteLoadingDone;
}

#elif defined(__APPLE__)

// The declarations of the system; its library is linked.
#define FUNCTION(function) extern __typeof__(*((waybill_sqlite_functions *)0)->function) sqlite3_##function;
FUNCTIONS(FUNCTION)
#undef FUNCTION

WaybillSQLiteLoading waybill_sqlite_load(const char *name, waybill_sqlite_functions *functions, char *message,
                                         int size) {
  if (name != NULL) {
    snprintf(message, (size_t)size, "%s cannot be loaded: the library is linked", name);
    return WaybillSQLiteLoadingMissing;
  }
#define ASSIGN(function) functions->function = sqlite3_##function;
  FUNCTIONS(ASSIGN)
#undef ASSIGN
  return WaybillSQLiteLoadingDone;
}

#else

WaybillSQLiteLoading waybill_sqlite_load(const char *name, waybill_sqlite_functions *functions, char *message,
                                         int size) {
  (void)name, (void)functions;
  snprintf(message, (size_t)size, "this platform has no SQLite that programs may use");
  return WaybillSQLiteLoadingMissing;
}

#endif
