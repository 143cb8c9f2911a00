#pragma once
// Before libevent's own headers: in a clean module build fd_set otherwise arrives from two places and clashes.
#include <sys/select.h>

#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/listener.h>
