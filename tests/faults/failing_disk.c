/* A file system that fails once: preloaded, it stands between a process and the C library's calls that change files.

   Calls on files below one folder are counted; the n-th fails as armed, and the rest pass. Nothing else is touched. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, CUT = 4, NAME = 8 };
enum { ERROR, SHORT, SHORT_THEN_ERROR, ERROR_THEN_CUT };

static char folder[PATH_MAX];
static long count, nth;
static int how, code, fired;
static int fails_next; /* this kind of call, once more: what follows a failure may fail, too */

/* Count calls below `below` from now on; the n-th (from 1; 0: none) fails. */
void disk_arm(const char *below, long n, int kind, int error) {
  __atomic_store_n(&nth, 0, __ATOMIC_SEQ_CST);
  strncpy(folder, below, sizeof folder - 1);
  how = kind, code = error, fired = fails_next = 0;
  __atomic_store_n(&count, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&nth, n, __ATOMIC_SEQ_CST);
}
long disk_count(void) { return __atomic_load_n(&count, __ATOMIC_SEQ_CST); }
/* Which kind of call failed; 0: none did. */
int disk_fired(void) { return fired; }

static int below(const char *path) {
  size_t length = strlen(folder);
  return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}
static int is_ours(int fd) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return below(path);
}
static int fails(int kind) {
  if (fails_next == kind) { fails_next = 0; return 1; }
  if (__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) != __atomic_load_n(&nth, __ATOMIC_SEQ_CST)) return 0;
  fired = kind;
  if (how == ERROR_THEN_CUT) fails_next = CUT;
  return 1;
}
static int is_short(void) { return fired == WRITE && (how == SHORT || how == SHORT_THEN_ERROR); }
#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t size) {
  REAL(write);
  if (!folder[0] || !is_ours(fd)) return real(fd, data, size);
  int again = fails_next == WRITE;
  if (!fails(WRITE)) return real(fd, data, size);
  if (is_short() && !again && size > 1) {
    if (how == SHORT_THEN_ERROR) fails_next = WRITE;
    return real(fd, data, size / 2);
  }
  errno = code;
  return -1;
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  REAL(pwrite64);
  if (folder[0] && is_ours(fd) && fails(WRITE)) { errno = code; return -1; }
  return real(fd, data, size, at);
}
int fsync(int fd) {
  REAL(fsync);
  if (folder[0] && is_ours(fd) && fails(SYNC)) { errno = code; return -1; }
  return real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  if (folder[0] && is_ours(fd) && fails(SYNC)) { errno = code; return -1; }
  return real(fd);
}
int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  if (folder[0] && is_ours(fd) && fails(CUT)) { errno = code; return -1; }
  return real(fd, size);
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }
int rename(const char *from, const char *to) {
  REAL(rename);
  if (folder[0] && below(to) && fails(NAME)) { errno = code; return -1; }
  return real(from, to);
}
int renameat(int from_fd, const char *from, int to_fd, const char *to) {
  REAL(renameat);
  if (folder[0] && below(to) && fails(NAME)) { errno = code; return -1; }
  return real(from_fd, from, to_fd, to);
}
