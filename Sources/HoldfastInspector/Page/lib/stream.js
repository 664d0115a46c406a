// The server-sent events of a database, for as long as the page can be seen.

/**
 * Follows the events of a database.
 *
 * `heard` gets each event's name and data, and `changed` the state of the stream: `connecting`, `open`, `broken`,
 * `hidden` or `ended`. A page in the background closes its stream, because browsers open only six for a server.
 */
export function follow(database, { heard, changed, signal }) {
  let source = null;
  let hasEnded = false;
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    changed('connecting');
    source = new EventSource(`events?database=${encodeURIComponent(database)}`);
    // The first event says that the server looks, which an open connection does not.
    for (const name of ['state', 'commit', 'locks', 'log', 'error']) {
      source.addEventListener(name, (event) => {
        if (event.data === undefined) {
          // The browser connects again, unless the server refused.
          changed(source?.readyState === EventSource.CLOSED ? 'refused' : 'broken');
          return;
        }
        const data = JSON.parse(event.data);
        if (name === 'state') changed('open');
        if (name === 'error') {
          hasEnded = true;
          close();
          changed('ended');
        }
        heard(name, data);
      });
    }
  };
  const look = () => {
    if (hasEnded) return;
    if (document.hidden) {
      close();
      changed('hidden');
    } else if (!source) open();
  };
  document.addEventListener('visibilitychange', look);
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', look);
    close();
  });
  look();
  return () => {
    hasEnded = false;
    open();
  };
}
