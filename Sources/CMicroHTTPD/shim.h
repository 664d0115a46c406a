#pragma once

// The server of `HoldfastInspector`: https://www.gnu.org/software/libmicrohttpd/
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

// Swift does not import functions with a variable number of parameters. A thread per connection, because
// SQLite blocks; at the loopback address and no other.
static inline struct MHD_Daemon *http_start(uint16_t port, unsigned int connections,
                                            MHD_AccessHandlerCallback handler,
                                            void *(*begin)(void *, const char *, struct MHD_Connection *),
                                            MHD_RequestCompletedCallback end, void *context,
                                            unsigned int timeout, int *error) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof(address));
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  errno = 0;
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC,
      port, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10),
      MHD_OPTION_CONNECTION_TIMEOUT, timeout, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  *error = errno;
  return daemon;
}

// As above; 0 where it is not known.
static inline uint16_t http_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

// Begins the time again after which a connection without activity is closed: to wait for an answer is none.
static inline void http_restart_timeout(struct MHD_Connection *connection, unsigned int timeout) {
  // To set a time where there was none is what makes libmicrohttpd take the present time.
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout);
}

// Whether the other side has closed the connection, which libmicrohttpd does not see while it waits for an answer.
static inline int http_is_gone(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info == NULL) return 0;
  struct pollfd state;
  memset(&state, 0, sizeof(state));
  state.fd = info->connect_fd;
  state.events = POLLIN;
  if (poll(&state, 1, 0) <= 0) return 0;
  if (state.revents & (POLLERR | POLLHUP | POLLNVAL)) return 1;
  // Bytes are a further request; none is the end.
  char byte;
  return (state.revents & POLLIN) && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}
