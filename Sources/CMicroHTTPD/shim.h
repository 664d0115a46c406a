#pragma once

// The server of `HoldfastInspector`: https://www.gnu.org/software/libmicrohttpd/
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

// Swift does not import functions with a variable number of parameters. A thread per connection, because
// SQLite blocks; at the loopback address and no other.
static inline struct MHD_Daemon *http_start(uint16_t port, unsigned int connections,
                                            MHD_AccessHandlerCallback handler,
                                            void *(*begin)(void *, const char *, struct MHD_Connection *),
                                            MHD_RequestCompletedCallback end, void *context, int *error) {
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
      MHD_OPTION_CONNECTION_TIMEOUT, 120u, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  *error = errno;
  return daemon;
}

// As above; 0 where it is not known.
static inline uint16_t http_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}
