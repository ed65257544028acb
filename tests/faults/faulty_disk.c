/* Stands between a process and its disk: counts every change of a file in one folder, lets the n-th one fail, and
 * records them. Load it with LD_PRELOAD; tests/faults/faulty_disk.py calls the functions at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { CREATE = 'c', WRITE = 'w', TRUNCATE = 't', SYNC = 's', UNLINK = 'd', LINK = 'l', RENAME = 'r', SYNC_FOLDER = 'f' };
enum { FILES = 65536 };

static char *folder;              /* only changes below this path count */
static char *names[FILES];        /* of the open files, by descriptor; NULL for files elsewhere */
static char is_folder[FILES];
static int sync_errors[FILES];    /* that the next sync reports: Linux tells every open descriptor of a failed one */
static long changes, fail_at;     /* fail_at is 0 while no fault is planned */
static int fault_kind, fault_error, fault_short, fault_lasting, rest_fails; /* fault_kind is 0 if any change counts */
static int recording;
static char *records;
static size_t used, room;
static long length;               /* of the record, in changes */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int concerns(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    size_t end = path ? strlen(path) : 0;
    if (!length || end < length - 1 || strncmp(path, folder, end < length ? end : length)) return 0; /* or the folder */
    return end < 4 || strcmp(path + end - 4, "-shm"); /* shared memory; nobody expects it on the disk */
}

static void put(const void *bytes, size_t count) {
    if (used + count > room) records = realloc(records, room = (used + count) * 2);
    memcpy(records + used, bytes, count);
    used += count;
}

static void record(char kind, const char *name, const char *other, int64_t offset, const void *data, size_t count, int error) {
    if (!recording) return;
    length++;
    uint8_t failed = error != 0;
    uint32_t lengths[3] = {strlen(name), other ? strlen(other) : 0, data ? count : 0};
    put(&kind, 1), put(&failed, 1), put(&offset, 8), put(lengths, 12), put(name, lengths[0]);
    if (other) put(other, lengths[1]);
    if (data) put(data, count);
}

/* Counts a change. Returns the error that it fails with, or 0; for a write, `count` becomes the bytes that are written. */
static int next_change(char kind, size_t *count) {
    if (fault_kind && fault_kind != kind) return 0;
    changes++;
    if (count && rest_fails) {
        rest_fails = fault_lasting;
        return fault_error;
    }
    if (!fail_at || changes < fail_at || (changes > fail_at && !fault_lasting)) return 0;
    if (count && fault_short && *count > 1 && changes == fail_at) {
        rest_fails = 1;
        *count /= 2;
        return 0;
    }
    return fault_error;
}

static const char *name_of(int number) {
    return number >= 0 && number < FILES ? names[number] : NULL;
}

static void remember(int number, const char *path) {
    if (number < 0 || number >= FILES) return;
    free(names[number]);
    names[number] = concerns(path) ? strdup(path) : NULL;
    sync_errors[number] = 0;
    struct stat found;
    is_folder[number] = names[number] && !fstat(number, &found) && S_ISDIR(found.st_mode);
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!concerns(path)) {
        int number = real(path, flags, mode);
        remember(number, path);
        return number;
    }
    pthread_mutex_lock(&lock);
    int is_new = (flags & O_CREAT) && access(path, F_OK);
    int error = is_new ? next_change(CREATE, NULL) : 0, number = -1;
    if (!error) number = real(path, flags, mode);
    int saved = error ? error : errno;
    if (is_new && (error || number >= 0)) record(CREATE, path, NULL, 0, NULL, 0, error);
    remember(number, path);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return number;
}

#define OPEN(name)                                                   \
    int name(const char *path, int flags, ...) {                     \
        va_list rest;                                                \
        va_start(rest, flags);                                       \
        mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;  \
        va_end(rest);                                                \
        return opened(REAL(name), path, flags, mode);                \
    }
OPEN(open)
OPEN(open64)

int close(int number) {
    if (number >= 0 && number < FILES) {
        free(names[number]);
        names[number] = NULL;
    }
    return REAL(close)(number);
}

static ssize_t written(int number, const void *data, size_t count, int64_t offset) {
    const char *name = name_of(number);
    if (!name) return REAL(pwrite64)(number, data, count, offset);
    pthread_mutex_lock(&lock);
    int error = next_change(WRITE, &count);
    ssize_t result = error ? -1 : REAL(pwrite64)(number, data, count, offset);
    int saved = error ? error : errno;
    record(WRITE, name, NULL, offset, data, result > 0 ? result : 0, error);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}

ssize_t pwrite(int number, const void *data, size_t count, off_t offset) { return written(number, data, count, offset); }
ssize_t pwrite64(int number, const void *data, size_t count, off64_t offset) { return written(number, data, count, offset); }

ssize_t write(int number, const void *data, size_t count) {
    if (!name_of(number)) return REAL(write)(number, data, count);
    off_t at = lseek(number, 0, SEEK_CUR);
    ssize_t result = written(number, data, count, at);
    if (result > 0) lseek(number, at + result, SEEK_SET);
    return result;
}

/* One change that succeeds or fails as a whole. */
#define CHANGE(kind, name, other, offset, call)                       \
    pthread_mutex_lock(&lock);                                        \
    int error = next_change(kind, NULL);                              \
    int result = error ? -1 : call;                                   \
    int saved = error ? error : errno;                                \
    if (error || !result) record(kind, name, other, offset, NULL, 0, error); \
    pthread_mutex_unlock(&lock);                                      \
    errno = saved;                                                    \
    return result;

static int cut_off(int number, int64_t size) {
    const char *name = name_of(number);
    if (!name) return REAL(ftruncate64)(number, size);
    CHANGE(TRUNCATE, name, NULL, size, REAL(ftruncate64)(number, size))
}
int ftruncate(int number, off_t size) { return cut_off(number, size); }
int ftruncate64(int number, off64_t size) { return cut_off(number, size); }

static int synced(int number, int (*real)(int)) {
    const char *name = name_of(number);
    if (!name) return real(number);
    char kind = is_folder[number] ? SYNC_FOLDER : SYNC;
    pthread_mutex_lock(&lock);
    int planned = next_change(kind, NULL);
    for (int other = 0; planned && other < FILES; other++)
        if (names[other] && !strcmp(names[other], name)) sync_errors[other] = planned;
    int error = planned ? planned : sync_errors[number];
    sync_errors[number] = 0;
    int result = error ? -1 : real(number);
    int saved = error ? error : errno;
    if (planned || !error) record(kind, name, NULL, 0, NULL, 0, planned);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return result;
}
int fsync(int number) { return synced(number, REAL(fsync)); }
int fdatasync(int number) { return synced(number, REAL(fdatasync)); }

int unlink(const char *path) {
    if (!concerns(path) || access(path, F_OK)) return REAL(unlink)(path);
    CHANGE(UNLINK, path, NULL, 0, REAL(unlink)(path))
}

int link(const char *path, const char *other) {
    if (!concerns(other)) return REAL(link)(path, other);
    CHANGE(LINK, path, other, 0, REAL(link)(path, other))
}

int rename(const char *path, const char *other) {
    if (!concerns(other)) return REAL(rename)(path, other);
    CHANGE(RENAME, path, other, 0, REAL(rename)(path, other))
}

void faulty_disk_watch(const char *path) {
    free(folder);
    folder = strdup(path);
}

/* The change number `at` from now, or of one kind, fails with `error`, if `at` is not 0; if `lasting`, so do all changes after it. If
 * `half`, a write stores its first half, and the write of the rest fails. */
void faulty_disk_fail(long at, int kind, int error, int half, int lasting) {
    pthread_mutex_lock(&lock);
    changes = rest_fails = 0;
    fail_at = at, fault_kind = kind, fault_error = error, fault_short = half, fault_lasting = lasting;
    pthread_mutex_unlock(&lock);
}

long faulty_disk_changes(void) { return changes; }

/* How many descriptors have not reported a failed sync of their file yet. */
long faulty_disk_unreported(void) {
    long count = 0;
    for (int number = 0; number < FILES; number++) count += names[number] && sync_errors[number];
    return count;
}

void faulty_disk_record(int on) {
    recording = on;
    used = length = 0;
}

long faulty_disk_length(void) { return length; }

size_t faulty_disk_recorded(char **start) {
    *start = records;
    return used;
}
