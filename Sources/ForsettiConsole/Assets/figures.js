// The figures of all modules, as they come, and how fast they change.

import { get } from "./api.js";

const remembered = 60;

/** What is known of the supervisor and its modules, and how fast it changes. */
export class Figures {
  constructor() {
    this.clear();
  }

  clear() {
    this.modules = new Map();
    this.own = {};
    this.receivedAt = 0;
    this.history = { calls: [], failures: [], events: [], memory: [] };
    this.status = null; // What `status` says; asked anew when a module's state or process changes, and after a reload.
    this.isStale = true;
  }

  /** Takes one message of /api/live: what changed since the last. */
  take(message) {
    // A reload changes what no module's figures tell: which bundles are not let in, and why; what is granted.
    if (message.reloads !== this.own.reloads) this.isStale = true;
    const seconds = Math.max(0.001, ((message.uptimeMilliseconds ?? 0) - (this.own.uptimeMilliseconds ?? 0)) / 1000);
    this.own = message;
    this.receivedAt = performance.now();
    // The first of a stream has all modules, and so has one after others are gone; where a process was not looked at yet, what
    // is known of its memory stays.
    const listed = message.isWhole ? new Set(message.modules.map((item) => item.moduleID)) : null;
    if (listed) for (const id of [...this.modules.keys()]) if (!listed.has(id)) {
      this.modules.delete(id);
      this.isStale = true;
    }
    for (const module of this.modules.values()) module.rates = { calls: 0, failures: 0, events: 0 };
    for (const item of message.modules) {
      const before = this.modules.get(item.moduleID);
      const per = (key) => (before ? Math.max(0, item[key] - before[key]) / seconds : 0);
      if (!before || before.state !== item.state || before.restarts !== item.restarts) this.isStale = true;
      this.modules.set(item.moduleID, {
        ...item, memoryBytes: item.memoryBytes ?? (listed ? before?.memoryBytes : undefined), trail: before?.trail ?? [], rates: { calls: per("calls"), failures: per("failedCalls"), events: per("events") },
      });
    }
    const all = [...this.modules.values()];
    for (const module of all) {
      module.trail.push(module.rates.calls);
      if (module.trail.length > remembered) module.trail.shift();
    }
    if (listed) return;
    const sum = (read) => all.reduce((total, module) => total + read(module), 0);
    this.remember("calls", sum((module) => module.rates.calls));
    this.remember("failures", sum((module) => module.rates.failures));
    this.remember("events", sum((module) => module.rates.events));
    this.remember("memory", sum((module) => module.memoryBytes ?? 0));
  }

  remember(name, value) {
    this.history[name] = [...this.history[name], value].slice(-remembered);
  }

  /** The latest of what is remembered; nothing before the second message. */
  last(name) {
    return this.history[name].at(-1);
  }

  /** The slow part: types, grants, locks, processes. Asked only where it may have changed. */
  async refresh() {
    if (!this.isStale) return this.status;
    this.isStale = false;
    const status = await get("/api/status");
    this.status = { ...status, byID: new Map(status.modules.map((module) => [module.moduleID, module])), askedAt: performance.now() };
    return this.status;
  }

  /** A module's row of `status`. */
  row(id) {
    return this.status?.byID.get(id);
  }

  /** Milliseconds that a module has been active by now. */
  uptime(id) {
    const since = this.row(id)?.activeSinceMilliseconds;
    return since == null ? null : this.status.uptimeMilliseconds - since + performance.now() - this.status.askedAt;
  }
}
