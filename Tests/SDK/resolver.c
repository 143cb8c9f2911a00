// Wraps getaddrinfo, so that a test controls the addresses of names:
// HEADGATE_TEST_NAMES="a.test=127.0.0.2,127.0.0.1 b.test=hang"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static lookup *system_lookup(void) { return (lookup *)dlsym(RTLD_NEXT, "getaddrinfo"); }

// Returns the text after the name's equals sign, which the caller frees, or NULL for an unknown name.
static char *addresses_of(const char *name) {
    const char *names = getenv("HEADGATE_TEST_NAMES");
    size_t length = name ? strlen(name) : 0;
    for (const char *next = names; next && length; next = strchr(next, ' ') ? strchr(next, ' ') + 1 : NULL)
        if (strncmp(next, name, length) == 0 && next[length] == '=')
            return strndup(next + length + 1, strcspn(next + length + 1, " "));
    return NULL;
}

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    char *addresses = addresses_of(name);
    if (!addresses) return system_lookup()(name, service, hints, result);
    if (strcmp(addresses, "hang") == 0) {
        free(addresses);
        sleep(60);
        return EAI_AGAIN;
    }
    // The system's own lookup makes each entry, because its freeaddrinfo frees the entries.
    struct addrinfo **end = result;
    *result = NULL;
    char *rest = addresses, *address;
    while ((address = strsep(&rest, ","))) {
        struct addrinfo literal = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
        int status = system_lookup()(address, service, &literal, end);
        if (status != 0) {
            free(addresses);
            return status;
        }
        while (*end) end = &(*end)->ai_next;
    }
    free(addresses);
    return 0;
}
