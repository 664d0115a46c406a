// A worker that all pages of the inspector in this browser share: it follows each database once, however many pages show it.
//
// Browsers open six connections for a server and all its pages. A stream keeps one of them as long as it is followed, so
// that pages with a stream each would leave none for what they ask besides.

const mostStreams = 4;
const names = ['state', 'commit', 'locks', 'log', 'error'];

/** The streams by database: the source, what is known, and the ports that follow it. */
const streams = new Map();

function tell(stream, message) {
  for (const port of stream.ports) port.postMessage(message);
}

function end(database) {
  streams.get(database)?.source.close();
  streams.delete(database);
}

function begin(database) {
  const source = new EventSource(`events?database=${encodeURIComponent(database)}`);
  const stream = { source, state: null, ports: new Set() };
  streams.set(database, stream);
  for (const name of names) {
    source.addEventListener(name, (event) => {
      if (event.data === undefined) {
        // The browser connects again, unless the server refused.
        const isRefused = source.readyState === EventSource.CLOSED;
        stream.state = null;
        tell(stream, { changed: isRefused ? 'refused' : 'broken' });
        if (isRefused) end(database);
        return;
      }
      const data = JSON.parse(event.data);
      if (name === 'state') stream.state = data;
      else if (stream.state && (name === 'locks' || name === 'log')) stream.state = { ...stream.state, ...data };
      tell(stream, { name, data });
      if (name === 'error') end(database);
    });
  }
  return stream;
}

function follow(port, database) {
  if (!streams.has(database) && streams.size >= mostStreams) {
    port.postMessage({ changed: 'full' });
    return;
  }
  const stream = streams.get(database) ?? begin(database);
  stream.ports.add(port);
  // One that comes later gets what the others have heard.
  if (stream.state) port.postMessage({ name: 'state', data: { ...stream.state, time: new Date().toISOString() } });
}

function leave(port) {
  for (const [database, stream] of streams) {
    if (stream.ports.delete(port) && stream.ports.size === 0) end(database);
  }
}

addEventListener('connect', (event) => {
  const [port] = event.ports;
  port.onmessage = ({ data }) => {
    if (data.leave) leave(port);
    else if (data.follow) {
      leave(port);
      follow(port, data.follow);
    }
    // A page holds this lock while it lives, also one that is ended without a word.
    if (data.alive) navigator.locks?.request(data.alive, () => leave(port));
  };
});
