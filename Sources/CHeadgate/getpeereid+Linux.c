// getpeereid of macOS and the BSDs, for both builds on Linux.
#ifdef __linux__
#define _GNU_SOURCE
#include <sys/socket.h>
#include <unistd.h>

int getpeereid(int fd, uid_t *user, gid_t *group) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -1;
    *user = peer.uid;
    *group = peer.gid;
    return 0;
}
#endif
