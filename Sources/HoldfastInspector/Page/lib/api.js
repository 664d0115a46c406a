// The server's answers. Every URL is relative to the page's own, which contains the token.

import { isGiven } from './route.js';

/** What the server refused, with what to do about it. */
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer?.message ?? `The server answered with ${status}.`);
    this.status = status;
    this.kind = answer?.error ?? 'internal';
    this.advice = answer?.advice ?? null;
    this.file = answer?.file ?? null;
  }
}

/** A path with its parameters; one whose value is an array is repeated, and one without a value left out. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isGiven(name, one)) query.append(name, one);
    }
  }
  const tail = query.toString();
  return tail ? `${path}?${tail}` : path;
}

async function ask(path, options) {
  try {
    return await fetch(path, { credentials: 'omit', cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(0, {
      error: 'unavailable',
      message: 'The inspector does not answer. It may have ended.',
      advice: 'Start `holdfast inspect` again, and open the address that it prints.',
    });
  }
}

async function read(response) {
  const body = await response.text();
  let value = null;
  try {
    value = body === '' ? null : JSON.parse(body);
  } catch {
    throw new Refusal(response.status, { message: 'The server’s answer is not JSON.', advice: 'Reload the page.' });
  }
  if (!response.ok) throw new Refusal(response.status, value);
  return value;
}

async function answer(path, options) {
  return read(await ask(path, options));
}

/** Throws why a file is refused. Of one that is not, no more than the beginning is fetched. */
export async function checkFile(path) {
  const reading = new AbortController();
  const response = await ask(path, { signal: reading.signal });
  if (!response.ok) await read(response);
  reading.abort();
}

/** The answer to a GET, as a value. */
export function get(path, parameters, signal) {
  return answer(address(path, parameters), { signal });
}

const pauseWhenBusy = 700;
const triesWhenBusy = 8;

/** The answer to a GET, as a value; asked for again for a while where the server has too much to do. */
export async function patientGet(path, parameters, signal) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await get(path, parameters, signal);
    } catch (error) {
      if (error.status !== 503 || tries === triesWhenBusy || signal?.aborted) throw error;
      await new Promise((resume) => setTimeout(resume, pauseWhenBusy * (0.5 + Math.random())));
    }
  }
}

/** The answer to a POST of a value as JSON. */
export function post(path, value, signal) {
  return answer(path, { method: 'POST', body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' }, signal });
}

/** The answer to a POST of bytes. */
export function send(path, body, signal) {
  return answer(path, { method: 'POST', body, headers: { 'Content-Type': 'application/octet-stream' }, signal });
}
