#if defined(__linux__)

#define _GNU_SOURCE
#include "curl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct message {
  int kind;
  void *easy;
  union {
    void *pointer;
    int code;
  } data;
};

struct blob {
  void *bytes;
  size_t count;
  unsigned int flags;
};

struct address {
  int family;
  int type;
  int protocol;
  unsigned int length;
  struct sockaddr bytes;
};

struct version {
  int age;
  const char *version;
  unsigned int version_num;
  const char *host;
  int features;
};

enum {
  version_now = 3,
  global_default = 3,
  minimum_version = 0x074200,
  feature_http3 = 1 << 25,
  message_done = 1,
  blob_copy = 1,

  option_writedata = 10001,
  option_readdata = 10009,
  option_errorbuffer = 10010,
  option_httpheader = 10023,
  option_headerdata = 10029,
  option_debugdata = 10095,
  option_share = 10100,
  option_private = 10103,
  option_opensocketdata = 10164,
  option_seekdata = 10168,
  option_closesocketdata = 10209,
  option_prereqdata = 10313,
  option_writefunction = 20011,
  option_readfunction = 20012,
  option_headerfunction = 20079,
  option_debugfunction = 20094,
  option_opensocketfunction = 20163,
  option_seekfunction = 20167,
  option_closesocketfunction = 20208,
  option_prereqfunction = 20312,

  info_private = 0x100000 + 21,

  multi_maxconnects = 6,
  multi_socketdata = 10002,
  multi_timerdata = 10005,
  multi_socketfunction = 20001,
  multi_timerfunction = 20004,

  share_share = 1,
  share_tls_sessions = 4,
};

static struct {
  int (*global_init)(long);
  struct version *(*version_info)(int);
  void *(*easy_init)(void);
  void (*easy_cleanup)(void *);
  int (*easy_setopt)(void *, int, ...);
  int (*easy_getinfo)(void *, int, ...);
  int (*easy_pause)(void *, int);
  const char *(*easy_strerror)(int);
  waybill_curl_slist *(*slist_append)(waybill_curl_slist *, const char *);
  void (*slist_free_all)(waybill_curl_slist *);
  void *(*multi_init)(void);
  int (*multi_cleanup)(void *);
  int (*multi_add_handle)(void *, void *);
  int (*multi_remove_handle)(void *, void *);
  int (*multi_setopt)(void *, int, ...);
  int (*multi_socket_action)(void *, int, int, int *);
  struct message *(*multi_info_read)(void *, int *);
  void *(*share_init)(void);
  int (*share_cleanup)(void *);
  int (*share_setopt)(void *, int, ...);
} curl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];
static struct version *version;

static const char *load(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } symbols[] = {
      {"curl_global_init", &curl.global_init},
      {"curl_version_info", &curl.version_info},
      {"curl_easy_init", &curl.easy_init},
      {"curl_easy_cleanup", &curl.easy_cleanup},
      {"curl_easy_setopt", &curl.easy_setopt},
      {"curl_easy_getinfo", &curl.easy_getinfo},
      {"curl_easy_pause", &curl.easy_pause},
      {"curl_easy_strerror", &curl.easy_strerror},
      {"curl_slist_append", &curl.slist_append},
      {"curl_slist_free_all", &curl.slist_free_all},
      {"curl_multi_init", &curl.multi_init},
      {"curl_multi_cleanup", &curl.multi_cleanup},
      {"curl_multi_add_handle", &curl.multi_add_handle},
      {"curl_multi_remove_handle", &curl.multi_remove_handle},
      {"curl_multi_setopt", &curl.multi_setopt},
      {"curl_multi_socket_action", &curl.multi_socket_action},
      {"curl_multi_info_read", &curl.multi_info_read},
      {"curl_share_init", &curl.share_init},
      {"curl_share_cleanup", &curl.share_cleanup},
      {"curl_share_setopt", &curl.share_setopt},
  };
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(failure, sizeof failure, "%s", reason == NULL ? name : reason);
    return failure;
  }
  for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (symbol == NULL) {
      snprintf(failure, sizeof failure, "%s has no %s", name, symbols[index].name);
      dlclose(library);
      return failure;
    }
    *(void **)symbols[index].function = symbol;
  }
  version = curl.version_info(version_now);
  if (version == NULL || version->version_num < minimum_version) {
    snprintf(failure, sizeof failure, "%s has version %s, but 7.66.0 or later is required", name,
             version == NULL ? "unknown" : version->version);
    return failure;
  }
  if (curl.global_init(global_default) != 0) return "libcurl cannot be initialized";
  return NULL;
}

static const char *load_failure;
static void load_once(void) { load_failure = load("libcurl.so.4"); }

const char *waybill_curl_load(const char *name) {
  static char other[512];
  if (name == NULL) {
    pthread_once(&once, load_once);
    return load_failure;
  }
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    snprintf(other, sizeof other, "%s", reason == NULL ? name : reason);
    return other;
  }
  const char *missing = dlsym(library, "curl_multi_socket_action") == NULL ? "it is not libcurl" : NULL;
  dlclose(library);
  return missing;
}

unsigned int waybill_curl_version_number(void) { return version == NULL ? 0 : version->version_num; }
int waybill_curl_has_http3(void) { return version != NULL && (version->features & feature_http3) != 0; }
const char *waybill_curl_version(void) { return version == NULL ? "" : version->version; }

// Easy handles

waybill_curl_easy waybill_curl_easy_init(void) { return curl.easy_init(); }
void waybill_curl_easy_cleanup(waybill_curl_easy easy) { curl.easy_cleanup(easy); }

int waybill_curl_set_number(waybill_curl_easy easy, waybill_curl_number_option option, long value) {
  return curl.easy_setopt(easy, (int)option, value);
}

int waybill_curl_set_size(waybill_curl_easy easy, waybill_curl_size_option option, int64_t value) {
  return curl.easy_setopt(easy, (int)option, value);
}

int waybill_curl_set_text(waybill_curl_easy easy, waybill_curl_text_option option, const char *value) {
  return curl.easy_setopt(easy, (int)option, value);
}

int waybill_curl_set_blob(waybill_curl_easy easy, waybill_curl_blob_option option, const void *bytes, size_t count) {
  struct blob blob = {(void *)bytes, count, blob_copy};
  return curl.easy_setopt(easy, (int)option, &blob);
}

int waybill_curl_set_fields(waybill_curl_easy easy, waybill_curl_slist *fields) {
  return curl.easy_setopt(easy, option_httpheader, fields);
}

int waybill_curl_set_error_buffer(waybill_curl_easy easy, char *buffer) {
  return curl.easy_setopt(easy, option_errorbuffer, buffer);
}

// Callbacks with libcurl's signatures, which call those in the table.

static const waybill_curl_callbacks *callback_table;

// Several threads set the table, always to the same value.
static const waybill_curl_callbacks *callbacks(void) { return __atomic_load_n(&callback_table, __ATOMIC_ACQUIRE); }

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
  return callbacks()->header(context, bytes, size * count);
}

static size_t on_write(char *bytes, size_t size, size_t count, void *context) {
  return callbacks()->write(context, bytes, size * count);
}

static size_t on_read(char *bytes, size_t size, size_t count, void *context) {
  return callbacks()->read(context, bytes, size * count);
}

static int on_seek(void *context, int64_t offset, int origin) {
  return origin == 0 ? callbacks()->seek(context, offset) : WAYBILL_CURL_SEEK_FAIL;
}

static int on_sending(void *context, char *remote, char *local, int remote_port, int local_port) {
  waybill_curl_ends ends = {remote, local, remote_port, local_port};
  return callbacks()->sending(context, &ends);
}

// Whether a verbose message can be about a stream or a connection; most messages are about other things.
static int is_relevant(const char *text, size_t count) {
  static const char *const prefixes[] = {
      "Using Stream ID: ",         "[HTTP/2] [",     "recveived GOAWAY, ", "received GOAWAY, ",
      "REFUSED_STREAM, retrying", "HTTP/2 stream ", "HTTP/3 stream ",     "Connection died, retrying",
  };
  for (size_t index = 0; index < sizeof prefixes / sizeof prefixes[0]; index++) {
    size_t length = strlen(prefixes[index]);
    if (count >= length && memcmp(text, prefixes[index], length) == 0) return 1;
  }
  return 0;
}

static int on_debug(void *easy, int kind, char *bytes, size_t count, void *context) {
  (void)easy;
  if (kind == 0 && is_relevant(bytes, count)) callbacks()->message(context, bytes, count);
  return 0;
}

int waybill_curl_set_callbacks(waybill_curl_easy easy, const waybill_curl_callbacks *table) {
  __atomic_store_n(&callback_table, table, __ATOMIC_RELEASE);
  int code = curl.easy_setopt(easy, option_headerfunction, on_header);
  if (code == 0) code = curl.easy_setopt(easy, option_writefunction, on_write);
  if (code == 0) code = curl.easy_setopt(easy, option_readfunction, on_read);
  if (code == 0) code = curl.easy_setopt(easy, option_seekfunction, on_seek);
  // Versions before 7.80 lack this option, which is not an error.
  if (code == 0) curl.easy_setopt(easy, option_prereqfunction, on_sending);
  if (code == 0) code = curl.easy_setopt(easy, option_debugfunction, on_debug);
  return code;
}

int waybill_curl_set_context(waybill_curl_easy easy, void *context) {
  int code = curl.easy_setopt(easy, option_headerdata, context);
  if (code == 0) code = curl.easy_setopt(easy, option_writedata, context);
  if (code == 0) code = curl.easy_setopt(easy, option_readdata, context);
  if (code == 0) code = curl.easy_setopt(easy, option_seekdata, context);
  if (code == 0) curl.easy_setopt(easy, option_prereqdata, context);
  if (code == 0) code = curl.easy_setopt(easy, option_debugdata, context);
  if (code == 0) code = curl.easy_setopt(easy, option_private, context);
  return code;
}

void *waybill_curl_context(waybill_curl_easy easy) {
  void *context = NULL;
  return curl.easy_getinfo(easy, info_private, &context) == 0 ? context : NULL;
}

int64_t waybill_curl_time_of(waybill_curl_easy easy, waybill_curl_time time) {
  int64_t microseconds = 0;
  return curl.easy_getinfo(easy, (int)time, &microseconds) == 0 ? microseconds : 0;
}

int64_t waybill_curl_size_of(waybill_curl_easy easy, waybill_curl_size size) {
  int64_t bytes = 0;
  return curl.easy_getinfo(easy, (int)size, &bytes) == 0 ? bytes : 0;
}

long waybill_curl_fact_of(waybill_curl_easy easy, waybill_curl_fact fact) {
  long value = 0;
  return curl.easy_getinfo(easy, (int)fact, &value) == 0 ? value : 0;
}

int waybill_curl_pause(waybill_curl_easy easy, int mask) { return curl.easy_pause(easy, mask); }
const char *waybill_curl_error_text(int code) { return curl.easy_strerror(code); }

waybill_curl_slist *waybill_curl_slist_append(waybill_curl_slist *list, const char *text) {
  return curl.slist_append(list, text);
}

void waybill_curl_slist_free(waybill_curl_slist *list) { curl.slist_free_all(list); }

// Sockets

// Child processes must not inherit sockets: they would keep connections open and could read from them.
static int on_open(void *context, int purpose, struct address *address) {
  (void)purpose;
  int number = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
  const waybill_curl_observer *observer = context;
  if (number >= 0) observer->opened(observer->context, number);
  return number;
}

static int on_close(void *context, int socket) {
  const waybill_curl_observer *observer = context;
  observer->closing(observer->context, socket);
  return close(socket);
}

int waybill_curl_set_observer(waybill_curl_easy easy, const waybill_curl_observer *observer) {
  int code = curl.easy_setopt(easy, option_opensocketfunction, on_open);
  if (code == 0) code = curl.easy_setopt(easy, option_opensocketdata, observer);
  if (code == 0) code = curl.easy_setopt(easy, option_closesocketfunction, on_close);
  if (code == 0) code = curl.easy_setopt(easy, option_closesocketdata, observer);
  return code;
}

int waybill_curl_local_port(int socket) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  if (getsockname(socket, (struct sockaddr *)&name, &size) != 0) return 0;
  if (name.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&name)->sin_port);
  if (name.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&name)->sin6_port);
  return 0;
}

// Shares

waybill_curl_share waybill_curl_share_init(void) {
  void *share = curl.share_init();
  if (share != NULL) curl.share_setopt(share, share_share, share_tls_sessions);
  return share;
}

void waybill_curl_share_cleanup(waybill_curl_share share) { curl.share_cleanup(share); }
int waybill_curl_set_share(waybill_curl_easy easy, waybill_curl_share share) {
  return curl.easy_setopt(easy, option_share, share);
}

// Multi handles

static int on_socket(void *easy, int socket, int events, void *context, void *unused) {
  (void)unused;
  const waybill_curl_observer *observer = context;
  observer->socket(observer->context, easy, socket, events);
  return 0;
}

static int on_timer(void *multi, long milliseconds, void *context) {
  (void)multi;
  const waybill_curl_observer *observer = context;
  observer->timer(observer->context, milliseconds);
  return 0;
}

waybill_curl_multi waybill_curl_multi_init(const waybill_curl_observer *observer, long idle_connections) {
  void *multi = curl.multi_init();
  if (multi == NULL) return NULL;
  curl.multi_setopt(multi, multi_socketfunction, on_socket);
  curl.multi_setopt(multi, multi_socketdata, observer);
  curl.multi_setopt(multi, multi_timerfunction, on_timer);
  curl.multi_setopt(multi, multi_timerdata, observer);
  curl.multi_setopt(multi, multi_maxconnects, idle_connections);
  return multi;
}

void waybill_curl_multi_cleanup(waybill_curl_multi multi) { curl.multi_cleanup(multi); }
int waybill_curl_multi_add(waybill_curl_multi multi, waybill_curl_easy easy) {
  return curl.multi_add_handle(multi, easy);
}

int waybill_curl_multi_remove(waybill_curl_multi multi, waybill_curl_easy easy) {
  return curl.multi_remove_handle(multi, easy);
}

int waybill_curl_multi_act(waybill_curl_multi multi, int socket, int events) {
  int running = 0;
  return curl.multi_socket_action(multi, socket, events, &running);
}

waybill_curl_easy waybill_curl_multi_next_completed(waybill_curl_multi multi, int *code) {
  int left = 0;
  struct message *message = curl.multi_info_read(multi, &left);
  while (message != NULL && message->kind != message_done) message = curl.multi_info_read(multi, &left);
  if (message == NULL) return NULL;
  *code = message->data.code;
  return message->easy;
}

#else

// Other platforms do not use libcurl.
typedef int waybill_unused;

#endif
