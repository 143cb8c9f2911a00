#pragma once
#include <dlfcn.h>
#include <stdint.h>
// Debian's folder, which no compiler looks into by itself.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The library is opened when it is needed and not linked: only a gateway whose configuration names PostgreSQL maps it.
// The types of its functions are those of the header.
#define HEADGATE_POSTGRESQL_FUNCTIONS(each)                                                                           \
    each(connectdbParams) each(finish) each(status) each(errorMessage) each(parameterStatus) each(socket)            \
    each(setnonblocking) each(setNoticeReceiver) each(sendQueryParams) each(flush) each(consumeInput) each(isBusy)   \
    each(getResult) each(resultStatus) each(resultErrorField) each(ntuples) each(getvalue) each(getisnull)           \
    each(getlength) each(cmdTuples) each(clear) each(notifies) each(freemem)

#define HEADGATE_POSTGRESQL_MEMBER(name) __typeof__(PQ##name) *name;
typedef struct {
    HEADGATE_POSTGRESQL_FUNCTIONS(HEADGATE_POSTGRESQL_MEMBER)
} headgate_postgresql;
#undef HEADGATE_POSTGRESQL_MEMBER

// Returns 0, or -1 where the system has no such library, or one without a function.
static inline int headgate_postgresql_load(headgate_postgresql *table) {
#ifdef __APPLE__
    const char *name = "libpq.5.dylib";
#else
    // Debian's name, which is that of the binary interface.
    const char *name = "libpq.so.5";
#endif
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    // Its OpenSSL must not free what it has when the process exits (OPENSSL_INIT_NO_ATEXIT): connections may still use
    // it. Only the first call decides, and it may be libpq's.
    int (*start)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(library, "OPENSSL_init_ssl");
    if (start) start(0x00080000, 0);
#define HEADGATE_POSTGRESQL_FIND(name)                                                                                \
    table->name = (__typeof__(table->name))dlsym(library, "PQ" #name);                                                \
    if (!table->name) return -1;
    HEADGATE_POSTGRESQL_FUNCTIONS(HEADGATE_POSTGRESQL_FIND)
#undef HEADGATE_POSTGRESQL_FIND
    return 0;
}
