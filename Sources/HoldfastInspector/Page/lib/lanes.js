// Who held which lock from when to when, made of lists of who holds what now. A value without effects.

const longest = 10 * 60 * 1000;

/** The name of a lane: one lock of one process. */
function laneOf(lock) {
  return JSON.stringify([lock.pid, lock.process, lock.file, lock.lock]);
}

export class Lanes {
  lanes = new Map();
  commits = [];
  log = [];

  /** Notes who holds what at a time in milliseconds. */
  note(locks, time) {
    const now = new Map(locks.map((lock) => [laneOf(lock), lock]));
    for (const [name, lane] of this.lanes) {
      const open = lane.spans.at(-1);
      if (open && open.end === null && now.get(name)?.mode !== open.mode) open.end = Math.max(time, open.start);
    }
    for (const [name, lock] of now) {
      let lane = this.lanes.get(name);
      if (!lane) {
        lane = { ...lock, spans: [] };
        this.lanes.set(name, lane);
      }
      if (lane.spans.at(-1)?.end !== null) lane.spans.push({ start: time, end: null, mode: lock.mode });
    }
    this.forget(time);
  }

  noteCommit(time) {
    this.commits.push(time);
    this.forget(time);
  }

  noteLog(size, time, isCheckpoint) {
    this.log.push({ time, size, isCheckpoint });
    this.forget(time);
  }

  /** What was held is not known while nothing was heard. */
  interrupt(time) {
    for (const lane of this.lanes.values()) {
      const open = lane.spans.at(-1);
      if (open && open.end === null) open.end = Math.max(time, open.start);
    }
  }

  forget(time) {
    const oldest = time - longest;
    for (const [name, lane] of this.lanes) {
      lane.spans = lane.spans.filter((span) => span.end === null || span.end >= oldest);
      if (!lane.spans.length) this.lanes.delete(name);
    }
    this.commits = this.commits.filter((one) => one >= oldest);
    // The last one before the time line's begin is the height with which it begins.
    const first = this.log.findLastIndex((one) => one.time < oldest);
    if (first > 0) this.log = this.log.slice(first);
  }
}
