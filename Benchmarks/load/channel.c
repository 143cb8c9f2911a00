#include "channel.h"

#include <errno.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *context;

int channel_use_certificate(const char *certificate_file, const char *key_file) {
    context = SSL_CTX_new(TLS_server_method());
    // The unsent rest of a write is sent from another buffer.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    return SSL_CTX_use_certificate_chain_file(context, certificate_file) == 1 &&
        SSL_CTX_use_PrivateKey_file(context, key_file, SSL_FILETYPE_PEM) == 1;
}

void channel_open(Channel *channel, int descriptor) {
    channel->descriptor = descriptor;
    channel->tls = NULL;
    if (!context) return;
    channel->tls = SSL_new(context);
    SSL_set_fd(channel->tls, descriptor);
    SSL_set_accept_state(channel->tls);
}

void channel_close(Channel *channel) {
    SSL_free(channel->tls);
    close(channel->descriptor);
}

ssize_t channel_receive(Channel *channel, void *bytes, size_t size) {
    if (!channel->tls) {
        ssize_t count = recv(channel->descriptor, bytes, size, 0);
        return count >= 0 || errno != EAGAIN ? (count < 0 ? 0 : count) : -1;
    }
    int count = SSL_read(channel->tls, bytes, (int)size);
    if (count > 0) return count;
    int reason = SSL_get_error(channel->tls, count);
    return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE ? -1 : 0;
}

size_t channel_send(Channel *channel, const void *bytes, size_t size) {
    ssize_t sent = channel->tls ? SSL_write(channel->tls, bytes, (int)size)
                                : send(channel->descriptor, bytes, size, MSG_NOSIGNAL);
    return sent > 0 ? (size_t)sent : 0;
}
