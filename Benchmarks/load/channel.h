// A connection of the mock upstream: TLS if a certificate was given, otherwise plain.
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stddef.h>
#include <sys/types.h>

typedef struct {
    int descriptor;
    struct ssl_st *tls;
} Channel;

// Makes all further connections speak TLS. Returns 0 if the files are not a certificate and its key.
int channel_use_certificate(const char *certificate_file, const char *key_file);

void channel_open(Channel *channel, int descriptor);
void channel_close(Channel *channel);

// Returns the number of bytes received, 0 at the end or after a fault, or -1 if no bytes are available yet.
ssize_t channel_receive(Channel *channel, void *bytes, size_t size);

// Returns the number of bytes that the kernel took, possibly 0.
size_t channel_send(Channel *channel, const void *bytes, size_t size);

#endif
