#ifndef CWAYBILL_CURL_H
#define CWAYBILL_CURL_H

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

// The required parts of libcurl, declared here so that neither its headers nor linking against it are needed. Names and
// numbers are documented at https://curl.se/libcurl/c/; the numbers are part of its ABI and never change.

typedef void *waybill_curl_easy;
typedef void *waybill_curl_multi;
typedef void *waybill_curl_share;
typedef struct waybill_curl_slist waybill_curl_slist;

/// Transfer options whose values are numbers.
typedef enum {
  WAYBILL_CURL_VERBOSE = 41,
  WAYBILL_CURL_NOBODY = 44,
  WAYBILL_CURL_UPLOAD = 46,
  WAYBILL_CURL_POST = 47,
  WAYBILL_CURL_SSL_VERIFYPEER = 64,
  WAYBILL_CURL_FRESH_CONNECT = 74,
  WAYBILL_CURL_FORBID_REUSE = 75,
  WAYBILL_CURL_HTTPGET = 80,
  WAYBILL_CURL_SSL_VERIFYHOST = 81,
  WAYBILL_CURL_HTTP_VERSION = 84,
  WAYBILL_CURL_BUFFERSIZE = 98,
  WAYBILL_CURL_NOSIGNAL = 99,
  WAYBILL_CURL_CONNECTTIMEOUT_MS = 156,
  WAYBILL_CURL_HTTP_TRANSFER_DECODING = 157,
  WAYBILL_CURL_PROTOCOLS = 181,
  WAYBILL_CURL_PATH_AS_IS = 234,
  WAYBILL_CURL_PIPEWAIT = 237,
  WAYBILL_CURL_SUPPRESS_CONNECT_HEADERS = 265,
  WAYBILL_CURL_UPLOAD_BUFFERSIZE = 280,
  WAYBILL_CURL_MAXAGE_CONN = 288,
  WAYBILL_CURL_QUICK_EXIT = 322,
} waybill_curl_number_option;

/// Transfer options whose values are numbers of bytes.
typedef enum {
  WAYBILL_CURL_INFILESIZE_LARGE = 30115,
  WAYBILL_CURL_POSTFIELDSIZE_LARGE = 30120,
} waybill_curl_size_option;

/// Transfer options whose values are texts, which are copied; null resets the option.
typedef enum {
  WAYBILL_CURL_URL = 10002,
  WAYBILL_CURL_PROXY = 10004,
  WAYBILL_CURL_SSLCERT = 10025,
  WAYBILL_CURL_KEYPASSWD = 10026,
  WAYBILL_CURL_CUSTOMREQUEST = 10036,
  WAYBILL_CURL_CAINFO = 10065,
  WAYBILL_CURL_SSLKEY = 10087,
  WAYBILL_CURL_CAPATH = 10097,
  WAYBILL_CURL_COPYPOSTFIELDS = 10165,
  WAYBILL_CURL_NOPROXY = 10177,
  WAYBILL_CURL_PINNEDPUBLICKEY = 10230,
  WAYBILL_CURL_UNIX_SOCKET_PATH = 10231,
  WAYBILL_CURL_PROXY_CAINFO = 10246,
  WAYBILL_CURL_PROXY_CAPATH = 10247,
} waybill_curl_text_option;

/// Transfer options whose values are blocks of bytes, which are copied.
typedef enum {
  WAYBILL_CURL_SSLCERT_BLOB = 40291,
  WAYBILL_CURL_SSLKEY_BLOB = 40292,
  WAYBILL_CURL_CAINFO_BLOB = 40309,
  WAYBILL_CURL_PROXY_CAINFO_BLOB = 40310,
} waybill_curl_blob_option;

/// Times of events in microseconds since the start of a transfer; 0 for an event that has not happened yet.
typedef enum {
  WAYBILL_CURL_TOTAL_TIME = 0x600000 + 50,
  WAYBILL_CURL_NAMELOOKUP_TIME = 0x600000 + 51,
  WAYBILL_CURL_CONNECT_TIME = 0x600000 + 52,
  WAYBILL_CURL_PRETRANSFER_TIME = 0x600000 + 53,
  WAYBILL_CURL_STARTTRANSFER_TIME = 0x600000 + 54,
  WAYBILL_CURL_APPCONNECT_TIME = 0x600000 + 56,
} waybill_curl_time;

/// The numbers of body bytes sent and received by a transfer.
typedef enum {
  WAYBILL_CURL_SIZE_UPLOAD = 0x600000 + 7,
  WAYBILL_CURL_SIZE_DOWNLOAD = 0x600000 + 8,
} waybill_curl_size;

/// Information about a transfer's connection.
typedef enum {
  /// The number of connections opened for the transfer.
  WAYBILL_CURL_NUM_CONNECTS = 0x200000 + 26,
  /// The HTTP version: 1 for 1.0, 2 for 1.1, 3 for 2, 30 for 3; 0 if unknown.
  WAYBILL_CURL_HTTP_VERSION_USED = 0x200000 + 46,
} waybill_curl_fact;

enum {
  WAYBILL_CURL_POLL_IN = 1,
  WAYBILL_CURL_POLL_OUT = 2,
  WAYBILL_CURL_POLL_REMOVE = 4,
  WAYBILL_CURL_SELECT_IN = 1,
  WAYBILL_CURL_SELECT_OUT = 2,
  WAYBILL_CURL_SELECT_ERROR = 4,
  WAYBILL_CURL_SOCKET_TIMEOUT = -1,
  WAYBILL_CURL_PAUSE_RECEIVE = 1,
  WAYBILL_CURL_PAUSE_SEND = 4,
  WAYBILL_CURL_SEEK_OK = 0,
  WAYBILL_CURL_SEEK_FAIL = 1,
  WAYBILL_CURL_READ_ABORT = 0x10000000,
  WAYBILL_CURL_IO_PAUSE = 0x10000001,
  WAYBILL_CURL_HTTP_1_1 = 2,
  WAYBILL_CURL_HTTP_2_OVER_TLS = 4,
  WAYBILL_CURL_HTTP_2_PRIOR_KNOWLEDGE = 5,
  WAYBILL_CURL_HTTP_3 = 30,
  WAYBILL_CURL_HTTP_AND_HTTPS = 3,
};

/// The addresses and ports of both ends of a connection; a port that does not exist is 0 or negative.
typedef struct {
  const char *remote;
  const char *local;
  int remote_port;
  int local_port;
} waybill_curl_ends;

/// The callbacks of a transfer; each receives the context set for the transfer.
typedef struct {
  /// Handles one line of a head or a trailer section, including its line break, and returns the number of accepted
  /// bytes; libcurl stops the transfer if it is less than `count`.
  size_t (*header)(void *context, const char *bytes, size_t count);
  /// Handles bytes of the response body and returns the number of accepted bytes, or WAYBILL_CURL_IO_PAUSE to receive
  /// the same bytes again later.
  size_t (*write)(void *context, const char *bytes, size_t count);
  /// Copies bytes of the request body and returns their number, 0 at the end, WAYBILL_CURL_IO_PAUSE or
  /// WAYBILL_CURL_READ_ABORT.
  size_t (*read)(void *context, char *bytes, size_t capacity);
  /// Moves to an offset in the request body and returns WAYBILL_CURL_SEEK_OK or WAYBILL_CURL_SEEK_FAIL.
  int (*seek)(void *context, int64_t offset);
  /// Called before the request is sent on a connection; any result other than 0 stops the transfer.
  int (*sending)(void *context, const waybill_curl_ends *ends);
  /// Receives a verbose message about a stream or a connection, if WAYBILL_CURL_VERBOSE is set.
  void (*message)(void *context, const char *text, size_t count);
} waybill_curl_callbacks;

/// Loads and initializes libcurl, once per process; returns null on success, otherwise the reason for the failure.
///
/// With a name other than null, only checks whether that library is a libcurl, without keeping it loaded.
const char *waybill_curl_load(const char *name);

/// Returns the version as a number, such as 0x074200 for 7.66.0.
unsigned int waybill_curl_version_number(void);
/// Whether libcurl was built with HTTP/3 support.
int waybill_curl_has_http3(void);
/// Returns the version as text, such as `7.66.0`.
const char *waybill_curl_version(void);

waybill_curl_easy waybill_curl_easy_init(void);
void waybill_curl_easy_cleanup(waybill_curl_easy easy);
int waybill_curl_set_number(waybill_curl_easy easy, waybill_curl_number_option option, long value);
int waybill_curl_set_size(waybill_curl_easy easy, waybill_curl_size_option option, int64_t value);
int waybill_curl_set_text(waybill_curl_easy easy, waybill_curl_text_option option, const char *value);
int waybill_curl_set_blob(waybill_curl_easy easy, waybill_curl_blob_option option, const void *bytes, size_t count);
/// Sets the header fields, which must outlive the transfer.
int waybill_curl_set_fields(waybill_curl_easy easy, waybill_curl_slist *fields);
/// Sets the buffer for an error text, which must have at least 256 bytes and outlive the transfer.
int waybill_curl_set_error_buffer(waybill_curl_easy easy, char *buffer);
/// Sets the callbacks, which must remain valid until the process ends.
int waybill_curl_set_callbacks(waybill_curl_easy easy, const waybill_curl_callbacks *callbacks);
/// Sets the context that the callbacks receive.
int waybill_curl_set_context(waybill_curl_easy easy, void *context);
void *waybill_curl_context(waybill_curl_easy easy);
int64_t waybill_curl_time_of(waybill_curl_easy easy, waybill_curl_time time);
int64_t waybill_curl_size_of(waybill_curl_easy easy, waybill_curl_size size);
long waybill_curl_fact_of(waybill_curl_easy easy, waybill_curl_fact fact);
/// Pauses the directions in the mask (WAYBILL_CURL_PAUSE_RECEIVE, WAYBILL_CURL_PAUSE_SEND) and resumes the others.
int waybill_curl_pause(waybill_curl_easy easy, int mask);
const char *waybill_curl_error_text(int code);

waybill_curl_slist *waybill_curl_slist_append(waybill_curl_slist *list, const char *text);
void waybill_curl_slist_free(waybill_curl_slist *list);

/// The callbacks of a multi handle and its sockets, which must outlive the multi handle.
typedef struct {
  void *context;
  /// Receives a new socket, whose connection is about to be opened.
  void (*opened)(void *context, int socket);
  /// Receives the events that a transfer waits for on a socket.
  void (*socket)(void *context, waybill_curl_easy easy, int socket, int events);
  /// Receives the time until libcurl's next due action, in milliseconds; -1 if no action is due later.
  void (*timer)(void *context, long milliseconds);
  /// Receives a socket that is about to be closed.
  void (*closing)(void *context, int socket);
} waybill_curl_observer;

/// Makes a transfer report the sockets that it opens and closes; child processes do not inherit them.
int waybill_curl_set_observer(waybill_curl_easy easy, const waybill_curl_observer *observer);
/// Returns the local port of a socket; 0 if it has none.
int waybill_curl_local_port(int socket);

/// Creates a cache of TLS sessions shared by transfers; only one thread at a time may use it.
waybill_curl_share waybill_curl_share_init(void);
void waybill_curl_share_cleanup(waybill_curl_share share);
int waybill_curl_set_share(waybill_curl_easy easy, waybill_curl_share share);

waybill_curl_multi waybill_curl_multi_init(const waybill_curl_observer *observer, long idle_connections);
void waybill_curl_multi_cleanup(waybill_curl_multi multi);
int waybill_curl_multi_add(waybill_curl_multi multi, waybill_curl_easy easy);
int waybill_curl_multi_remove(waybill_curl_multi multi, waybill_curl_easy easy);
/// Performs the actions for a socket's events or, for WAYBILL_CURL_SOCKET_TIMEOUT, all due actions.
int waybill_curl_multi_act(waybill_curl_multi multi, int socket, int events);
/// Returns the next completed transfer and stores its result in `code`; returns null if no transfer has completed.
waybill_curl_easy waybill_curl_multi_next_completed(waybill_curl_multi multi, int *code);

#endif
#endif
