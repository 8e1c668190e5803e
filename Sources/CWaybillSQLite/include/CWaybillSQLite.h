#ifndef CWAYBILLSQLITE_H
#define CWAYBILLSQLITE_H

#include <stdint.h>

// The used parts of SQLite, declared here so that neither its headers nor a link to it are needed on Linux. Names and
// signatures are those of https://www.sqlite.org/c3ref/intro.html, which never change.

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_backup sqlite3_backup;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;

/// The functions of SQLite that are called.
typedef struct {
  int (*_Nonnull libversion_number)(void);
  int (*_Nonnull open_v2)(const char *_Nonnull path, sqlite3 *_Nullable *_Nonnull database, int flags,
                          const char *_Nullable vfs);
  int (*_Nonnull close_v2)(sqlite3 *_Nullable);
  int (*_Nonnull prepare_v2)(sqlite3 *_Nonnull, const char *_Nonnull sql, int length,
                             sqlite3_stmt *_Nullable *_Nonnull statement, const char *_Nullable *_Nullable tail);
  int (*_Nonnull step)(sqlite3_stmt *_Nonnull);
  int (*_Nonnull reset)(sqlite3_stmt *_Nonnull);
  int (*_Nonnull finalize)(sqlite3_stmt *_Nullable);
  int (*_Nonnull clear_bindings)(sqlite3_stmt *_Nonnull);
  int (*_Nonnull bind_parameter_count)(sqlite3_stmt *_Nonnull);
  int (*_Nonnull bind_null)(sqlite3_stmt *_Nonnull, int);
  int (*_Nonnull bind_int64)(sqlite3_stmt *_Nonnull, int, long long);
  int (*_Nonnull bind_double)(sqlite3_stmt *_Nonnull, int, double);
  int (*_Nonnull bind_text)(sqlite3_stmt *_Nonnull, int, const char *_Nullable, int,
                            void (*_Nullable end)(void *_Nullable));
  int (*_Nonnull bind_blob)(sqlite3_stmt *_Nonnull, int, const void *_Nullable, int,
                            void (*_Nullable end)(void *_Nullable));
  int (*_Nonnull column_count)(sqlite3_stmt *_Nonnull);
  int (*_Nonnull column_type)(sqlite3_stmt *_Nonnull, int);
  long long (*_Nonnull column_int64)(sqlite3_stmt *_Nonnull, int);
  double (*_Nonnull column_double)(sqlite3_stmt *_Nonnull, int);
  const unsigned char *_Nullable (*_Nonnull column_text)(sqlite3_stmt *_Nonnull, int);
  const void *_Nullable (*_Nonnull column_blob)(sqlite3_stmt *_Nonnull, int);
  int (*_Nonnull column_bytes)(sqlite3_stmt *_Nonnull, int);
  int (*_Nonnull changes)(sqlite3 *_Nonnull);
  long long (*_Nonnull last_insert_rowid)(sqlite3 *_Nonnull);
  int (*_Nonnull get_autocommit)(sqlite3 *_Nonnull);
  int (*_Nonnull busy_timeout)(sqlite3 *_Nonnull, int milliseconds);
  int (*_Nonnull extended_result_codes)(sqlite3 *_Nonnull, int enabled);
  int (*_Nonnull extended_errcode)(sqlite3 *_Nullable);
  const char *_Nonnull (*_Nonnull errmsg)(sqlite3 *_Nullable);
  const char *_Nonnull (*_Nonnull errstr)(int);
  int (*_Nonnull db_config)(sqlite3 *_Nonnull, int option, ...);
  void (*_Nonnull progress_handler)(sqlite3 *_Nonnull, int steps, int (*_Nullable stops)(void *_Nullable),
                                    void *_Nullable);
  sqlite3_backup *_Nullable (*_Nonnull backup_init)(sqlite3 *_Nonnull target, const char *_Nonnull target_name,
                                                    sqlite3 *_Nonnull source, const char *_Nonnull source_name);
  int (*_Nonnull backup_step)(sqlite3_backup *_Nonnull, int pages);
  int (*_Nonnull backup_finish)(sqlite3_backup *_Nullable);
  int (*_Nonnull create_function_v2)(sqlite3 *_Nonnull, const char *_Nonnull name, int arguments, int flags,
                                     void *_Nullable context,
                                     void (*_Nullable call)(sqlite3_context *_Nonnull, int,
                                                            sqlite3_value *_Nonnull *_Nonnull),
                                     void (*_Nullable step)(sqlite3_context *_Nonnull, int,
                                                            sqlite3_value *_Nonnull *_Nonnull),
                                     void (*_Nullable final)(sqlite3_context *_Nonnull),
                                     void (*_Nullable end)(void *_Nullable));
  void *_Nullable (*_Nonnull user_data)(sqlite3_context *_Nonnull);
  int (*_Nonnull value_type)(sqlite3_value *_Nonnull);
  long long (*_Nonnull value_int64)(sqlite3_value *_Nonnull);
  double (*_Nonnull value_double)(sqlite3_value *_Nonnull);
  const void *_Nullable (*_Nonnull value_blob)(sqlite3_value *_Nonnull);
  int (*_Nonnull value_bytes)(sqlite3_value *_Nonnull);
  void (*_Nonnull result_int64)(sqlite3_context *_Nonnull, long long);
} waybill_sqlite_functions;

/// The results of loading the library.
typedef enum __attribute__((enum_extensibility(closed))) : int {
  /// The table is filled.
  WaybillSQLiteLoadingDone = 0,
  /// The library is not installed, or the platform has none.
  WaybillSQLiteLoadingMissing = 1,
  /// A file of that name was loaded that is not the library.
  WaybillSQLiteLoadingForeign = 2,
} WaybillSQLiteLoading;

/// Loads the library and fills a table with its functions; on Apple's platforms it is linked.
///
/// `name` is a file of another name than `libsqlite3.so.0`, for tests. `message` gets the reason of a failure, with at
/// most `size` bytes.
WaybillSQLiteLoading waybill_sqlite_load(const char *_Nullable name, waybill_sqlite_functions *_Nonnull functions,
                                         char *_Nonnull message, int size);

/// Turns checkpoints at the end of a connection off or on; returns a result code.
int waybill_sqlite_set_checkpoint_on_close(const waybill_sqlite_functions *_Nonnull functions,
                                           sqlite3 *_Nonnull database, int enabled);

/// Adds the SQL function `waybill_checksum`, which returns a checksum of its arguments; returns a result code.
int waybill_sqlite_add_checksum(const waybill_sqlite_functions *_Nonnull functions, sqlite3 *_Nonnull database);

#endif
