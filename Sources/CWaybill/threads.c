#if defined(__linux__)

#define _GNU_SOURCE
#include "threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

struct start {
  const char *name;
  void (*run)(void *);
  void *context;
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), start.name);
  start.run(start.context);
  return NULL;
}

int waybill_thread_start(const char *name, void (*run)(void *), void *context) {
  struct start *start = malloc(sizeof(*start));
  if (start == NULL) return ENOMEM;
  *start = (struct start){name, run, context};
  pthread_t thread;
  int code = pthread_create(&thread, NULL, run_thread, start);
  if (code != 0) {
    free(start);
    return code;
  }
  pthread_detach(thread);
  return 0;
}

#endif
