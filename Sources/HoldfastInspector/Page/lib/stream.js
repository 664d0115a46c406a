// The server-sent events of a database, for as long as the page can be seen.

const names = ['state', 'commit', 'locks', 'log', 'error'];

/** What all pages of this browser share, so that together they have one connection for each database. */
class SharedStream {
  constructor(database, told) {
    const worker = new SharedWorker('streams.js', { name: 'holdfast streams' });
    this.port = worker.port;
    this.port.onmessage = ({ data }) => told(data);
    worker.onerror = () => told({ changed: 'refused' });
    const alive = `holdfast ${crypto.randomUUID()}`;
    // Never released: it ends with the page.
    navigator.locks?.request(alive, () => {
      this.port.postMessage({ follow: database, alive });
      return new Promise((resolve) => { this.release = resolve; });
    });
    if (!navigator.locks) this.port.postMessage({ follow: database });
  }

  close() {
    this.port.onmessage = null;
    this.port.postMessage({ leave: true });
    this.release?.();
  }
}

/** A stream of this page alone, where the browser shares none. */
class OwnStream {
  constructor(database, told) {
    this.source = new EventSource(`events?database=${encodeURIComponent(database)}`);
    for (const name of names) {
      this.source.addEventListener(name, (event) => {
        // The browser connects again, unless the server refused.
        if (event.data === undefined) told({ changed: this.source.readyState === EventSource.CLOSED ? 'refused' : 'broken' });
        else told({ name, data: JSON.parse(event.data) });
      });
    }
  }

  close() {
    this.source.close();
  }
}

/**
 * Follows the events of a database.
 *
 * `heard` gets each event's name and data, and `changed` the state of the stream: `connecting`, `open`, `broken`,
 * `hidden`, `ended`, `refused`, or `full` where other pages follow as many databases as the browser has connections for.
 * A page in the background follows nothing.
 */
export function follow(database, { heard, changed, signal }) {
  let stream = null;
  let hasEnded = false;
  const close = () => {
    stream?.close();
    stream = null;
  };
  const told = ({ name, data, changed: state }) => {
    if (state === 'full' || state === 'refused') {
      hasEnded = true;
      close();
    }
    if (state) {
      changed(state);
      return;
    }
    // The first event says that the server looks, which an open connection does not.
    if (name === 'state') changed('open');
    if (name === 'error') {
      hasEnded = true;
      close();
      changed('ended');
    }
    heard(name, data);
  };
  const open = () => {
    close();
    changed('connecting');
    stream = typeof SharedWorker === 'function' ? new SharedStream(database, told) : new OwnStream(database, told);
  };
  const look = () => {
    if (hasEnded) return;
    if (document.hidden) {
      close();
      changed('hidden');
    } else if (!stream) open();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('pagehide', close, { signal });
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
