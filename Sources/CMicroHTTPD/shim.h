#pragma once

// The server of `HoldfastInspector`: https://www.gnu.org/software/libmicrohttpd/
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

// The functions that are called. The library is loaded when a server is started: with it come nine more, for
// TLS, which every start of the tool would wait for.
struct http_library {
  __typeof__(&MHD_start_daemon) start_daemon;
  __typeof__(&MHD_stop_daemon) stop_daemon;
  __typeof__(&MHD_get_daemon_info) get_daemon_info;
  __typeof__(&MHD_get_connection_info) get_connection_info;
  __typeof__(&MHD_set_connection_option) set_connection_option;
  __typeof__(&MHD_lookup_connection_value) lookup_connection_value;
  __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
  __typeof__(&MHD_create_response_from_callback) create_response_from_callback;
  __typeof__(&MHD_add_response_header) add_response_header;
  __typeof__(&MHD_queue_response) queue_response;
  __typeof__(&MHD_destroy_response) destroy_response;
};

// Loads the library, which stays in the process. Gives NULL, or what the loader says.
static inline const char *http_load(struct http_library *library, const char *name) {
  void *image = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (image == NULL) return dlerror();
#define HTTP_FIND(function) \
  if ((library->function = (__typeof__(library->function))dlsym(image, "MHD_" #function)) == NULL) return dlerror()
  HTTP_FIND(start_daemon);
  HTTP_FIND(stop_daemon);
  HTTP_FIND(get_daemon_info);
  HTTP_FIND(get_connection_info);
  HTTP_FIND(set_connection_option);
  HTTP_FIND(lookup_connection_value);
  HTTP_FIND(create_response_from_buffer);
  HTTP_FIND(create_response_from_callback);
  HTTP_FIND(add_response_header);
  HTTP_FIND(queue_response);
  HTTP_FIND(destroy_response);
#undef HTTP_FIND
  return NULL;
}

// Swift does not import functions with a variable number of parameters. A thread per connection, because
// SQLite blocks; at the loopback address and no other.
static inline struct MHD_Daemon *http_start(struct http_library library, uint16_t port, unsigned int connections,
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
  struct MHD_Daemon *daemon = library.start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC,
      port, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(64 << 10),
      MHD_OPTION_CONNECTION_TIMEOUT, timeout, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  *error = errno;
  return daemon;
}

// As above; 0 where it is not known.
static inline uint16_t http_port(struct http_library library, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = library.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

// Begins the time again after which a connection without activity is closed: to wait for an answer is none.
static inline void http_restart_timeout(struct http_library library, struct MHD_Connection *connection, unsigned int timeout) {
  // To set a time where there was none is what makes libmicrohttpd take the present time.
  library.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
  library.set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout);
}

// Whether the other side has closed the connection, which libmicrohttpd does not see while it waits for an answer.
static inline int http_is_gone(struct http_library library, struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      library.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
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
