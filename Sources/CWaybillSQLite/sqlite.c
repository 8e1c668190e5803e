#define _GNU_SOURCE
#include "CWaybillSQLite.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { no_checkpoint_on_close = 1006 };

int waybill_sqlite_set_checkpoint_on_close(const waybill_sqlite_functions *functions, sqlite3 *database, int enabled) {
  return functions->db_config(database, no_checkpoint_on_close, enabled ? 0 : 1, (int *)NULL);
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
  EACH(progress_handler)

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
