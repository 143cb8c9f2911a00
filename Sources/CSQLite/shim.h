#pragma once
#include <dlfcn.h>
#include <sqlite3.h>

// The library is opened when it is needed and not linked: a process that keeps nothing does not map it. The types of
// its functions are those of the header.
#define HEADGATE_SQLITE_FUNCTIONS(each)                                                                               \
    each(open_v2) each(close_v2) each(busy_timeout) each(extended_result_codes) each(extended_errcode) each(changes)  \
    each(prepare_v2) each(finalize) each(step) each(reset) each(clear_bindings) each(bind_int64) each(bind_null)      \
    each(bind_blob64) each(bind_text64) each(column_int64) each(column_type) each(column_blob) each(column_bytes)  \
    each(progress_handler)

#define HEADGATE_SQLITE_MEMBER(name) __typeof__(sqlite3_##name) *name;
typedef struct {
    HEADGATE_SQLITE_FUNCTIONS(HEADGATE_SQLITE_MEMBER)
} headgate_sqlite;
#undef HEADGATE_SQLITE_MEMBER

// Returns 0, or -1 where the system has no such library, or one without a function.
static inline int headgate_sqlite_load(headgate_sqlite *table) {
#ifdef __APPLE__
    const char *name = "libsqlite3.dylib";
#else
    // Debian's name, which is that of the binary interface.
    const char *name = "libsqlite3.so.0";
#endif
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define HEADGATE_SQLITE_FIND(name)                                                                                    \
    table->name = (__typeof__(table->name))dlsym(library, "sqlite3_" #name);                                          \
    if (!table->name) return -1;
    HEADGATE_SQLITE_FUNCTIONS(HEADGATE_SQLITE_FIND)
#undef HEADGATE_SQLITE_FIND
    return 0;
}
