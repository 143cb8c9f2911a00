// OpenSSL 3 as Swift sees it: its functions as they are, and typed functions for what it offers as macros only.
#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

// MARK: Start

/// Before any other call: keeps OpenSSL from freeing what it has when the process exits, while loops may still use it.
static inline void headgate_start_openssl(void) { OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL); }

// MARK: Digests

static inline pthread_key_t *headgate_digest_key(void) {
    static pthread_key_t key;
    return &key;
}

static inline void headgate_free_digest_context(void *context) { EVP_MD_CTX_free((EVP_MD_CTX *)context); }

static inline void headgate_make_digest_key(void) {
    pthread_key_create(headgate_digest_key(), headgate_free_digest_context);
}

/// A context for SHA-256 that is freed when the thread ends; NULL where there is none to be had.
static inline EVP_MD_CTX *headgate_new_digest_context(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    headgate_start_openssl();
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL) return NULL;
    if (EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1 || pthread_once(&once, headgate_make_digest_key) != 0 ||
        pthread_setspecific(*headgate_digest_key(), context) != 0) {
        EVP_MD_CTX_free(context);
        return NULL;
    }
    return context;
}

/// SHA-256 into 32 bytes; 1 on success. The context is made once per thread: making one, and looking the algorithm up
/// by its name, costs several times as much as hashing a key.
static inline int headgate_sha256(const void *data, size_t count, unsigned char *digest) {
    static _Thread_local EVP_MD_CTX *context = NULL;
    if (context == NULL) {
        context = headgate_new_digest_context();
        if (context == NULL) return 0;
    } else if (EVP_DigestInit_ex(context, NULL, NULL) != 1) {
        return 0;
    }
    return EVP_DigestUpdate(context, data, count) == 1 && EVP_DigestFinal_ex(context, digest, NULL) == 1;
}

// MARK: TLS contexts

/// What holds for both sides: TLS 1.2 or newer, no renegotiation, an end without close_notify is an error, writes that
/// may be partial and may come again from another address, one recv for as many records as have come, no buffers at
/// rest.
static inline bool headgate_tls_configure(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_clear_options(context, SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}

static inline bool headgate_tls_set_newest_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version) == 1;
}

/// Hands new sessions to the callback and keeps none itself.
static inline void headgate_tls_export_client_sessions(SSL_CTX *context, int (*issued)(SSL *, SSL_SESSION *)) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, issued);
}

/// Sessions live in the tickets that clients hold, not in this process.
static inline void headgate_tls_keep_no_server_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

// MARK: TLS connections

/// The name that is sent in the clear, so that the server can choose its certificate (SNI).
static inline bool headgate_tls_set_server_name(SSL *connection, const char *name) {
    return SSL_set_tlsext_host_name(connection, name) == 1;
}

/// The name that the client has sent, or NULL.
static inline const char *headgate_tls_server_name(const SSL *connection) {
    return SSL_get_servername(connection, TLSEXT_NAMETYPE_host_name);
}

/// Marks the connection as properly ended: freed without this, it would make its session useless for resumption.
static inline void headgate_tls_forget_shutdown(SSL *connection) {
    SSL_set_shutdown(connection, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
}

// MARK: Sockets

// Older headers of macOS have no such flag; there the socket has SO_NOSIGPIPE.
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

static inline int headgate_bio_send(BIO *bio, const char *bytes, int count) {
    int descriptor = -1;
    BIO_get_fd(bio, &descriptor);
    int sent = (int)send(descriptor, bytes, (size_t)count, MSG_NOSIGNAL);
    BIO_clear_retry_flags(bio);
    if (sent <= 0 && BIO_sock_should_retry(sent)) BIO_set_retry_write(bio);
    return sent;
}

/// OpenSSL's own socket BIO, but for writing: a peer that has gone is an error, not a signal. To be made once; NULL if
/// no memory is left.
static inline BIO_METHOD *headgate_bio_make_method(void) {
    const BIO_METHOD *original = BIO_s_socket();
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOCKET, "socket");
    if (method == NULL) return NULL;
    BIO_meth_set_write(method, headgate_bio_send);
    BIO_meth_set_read(method, BIO_meth_get_read(original));
    BIO_meth_set_ctrl(method, BIO_meth_get_ctrl(original));
    BIO_meth_set_create(method, BIO_meth_get_create(original));
    BIO_meth_set_destroy(method, BIO_meth_get_destroy(original));
    return method;
}

/// Joins the connection to a socket, which stays the caller's to close.
static inline bool headgate_tls_set_socket(SSL *connection, const BIO_METHOD *method, int descriptor) {
    BIO *bio = BIO_new(method);
    if (bio == NULL) return false;
    BIO_set_fd(bio, descriptor, BIO_NOCLOSE);
    SSL_set_bio(connection, bio, bio);
    return true;
}
