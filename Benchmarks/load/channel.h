// A connection of the mock upstream: plain, or TLS where a certificate was given.
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>
#include <sys/types.h>

typedef struct {
    int descriptor;
    struct ssl_st *tls;
} Channel;

// From now on connections speak TLS. Returns 0 when the files do not fit.
int channel_use_certificate(const char *certificate_file, const char *key_file);

void channel_open(Channel *channel, int descriptor);
void channel_close(Channel *channel);

// The bytes received; 0 at the end or after a fault, -1 when there are none yet.
ssize_t channel_receive(Channel *channel, void *bytes, size_t size);

// The bytes that were taken: maybe none.
size_t channel_send(Channel *channel, const void *bytes, size_t size);

#endif
