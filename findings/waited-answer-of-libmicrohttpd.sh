#!/bin/sh
# An event that libmicrohttpd's reader waited for is dropped, and with it the connection, once it took the timeout.
#
# Guess: where each connection has a thread, a callback may wait; its bytes are sent, and the timeout counts from there.
# Found (libmicrohttpd 0.9.75):
# - The time in the callback counts as inactivity. The bytes that it returns are never sent, and the request ends with
#   MHD_REQUEST_TERMINATED_TIMEOUT_REACHED: of server-sent events just the one after a pause is lost.
# - To set the same timeout again in the callback changes nothing. To set none, and then it, begins the time again.
# - A handler that waits as long before it has a response is answered.
#
#   usage: findings/waited-answer-of-libmicrohttpd.sh     prints what arrives; ends with 1 if that changes
set -eu
command -v cc >/dev/null || { echo 'cc is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/wait.c" <<'END'
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READER, READER_SAME, READER_NONE_FIRST, HANDLER, COUNT };
static const char *names[] = {"reader", "reader that sets the timeout again", "reader that sets none first", "handler"};
static const char event[] = "data: event\n\n";
static const unsigned int timeout = 1;
static int place;
static enum MHD_RequestTerminationCode end;

static ssize_t read_event(void *connection, uint64_t position, char *bytes, size_t count) {
  if (position > 0 || count < sizeof(event)) return MHD_CONTENT_READER_END_OF_STREAM;
  sleep(timeout + 1);
  if (place == READER_NONE_FIRST) MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
  if (place != READER) MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, timeout);
  memcpy(bytes, event, sizeof(event) - 1);
  return sizeof(event) - 1;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **request) {
  struct MHD_Response *response;
  if (place == HANDLER) {
    sleep(timeout + 1);
    response = MHD_create_response_from_buffer(sizeof(event) - 1, (void *)event, MHD_RESPMEM_PERSISTENT);
  } else {
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_event, connection, NULL);
  }
  enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return result;
}

static void complete(void *context, struct MHD_Connection *connection, void **request,
                     enum MHD_RequestTerminationCode code) {
  end = code;
}

int main(void) {
  fprintf(stderr, "libmicrohttpd %s\n", MHD_get_version());
  for (place = READER; place < COUNT; place++) {
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, NULL,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout, MHD_OPTION_NOTIFY_COMPLETED, complete, NULL, MHD_OPTION_END);
    if (daemon == NULL) return 70;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    address.sin_port = htons(MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    int client = socket(AF_INET, SOCK_STREAM, 0);
    static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    if (connect(client, (struct sockaddr *)&address, sizeof(address)) != 0) return 70;
    if (write(client, request, sizeof(request) - 1) < 0) return 70;
    char answer[4096] = "";
    size_t length = 0;
    ssize_t count;
    while ((count = read(client, answer + length, sizeof(answer) - 1 - length)) > 0) length += count;
    close(client);
    MHD_stop_daemon(daemon);
    printf("%s: %s; %s\n", names[place], strstr(answer, "event") ? "the event" : "no event",
           end == MHD_REQUEST_TERMINATED_TIMEOUT_REACHED ? "timeout" : end == 0 ? "completed" : "another end");
  }
}
END
if ! cc -o "$folder/wait" "$folder/wait.c" -lmicrohttpd 2>"$folder/log"; then
  echo 'libmicrohttpd is missing' >&2
  exit 69
fi
"$folder/wait" | tee "$folder/found"
diff - "$folder/found" <<'END'
reader: no event; timeout
reader that sets the timeout again: no event; timeout
reader that sets none first: the event; completed
handler: the event; completed
END
