import { setMaxListeners } from "node:events";
import { exitCodes, Failure } from "../base/errors.ts";

export interface Interruption {
  readonly signal: AbortSignal;
  /**
   * Until the returned function is called, another program has the terminal and handles Ctrl-C itself. Given the
   * program's exit code, the function also ends the line that shows `^C`.
   */
  hold(): (code: number | undefined) => void;
  /**
   * Until the returned function is called, a signal has its default effect: it ends the process. Not while one would be
   * deferred.
   */
  pause(): () => void;
  /**
   * A first signal is deferred until the returned function is called, at most `maxMs` from the signal on; a second one
   * ends the process. Throws once a signal has been received, so that nothing else of that kind is started.
   */
  defer(maxMs?: number): () => void;
  stop(): void;
}

/**
 * One key may arrive as two signals: `timeout` passes on the Ctrl-C that the terminal has sent to its command as well.
 * No one presses it twice in this time, in milliseconds.
 */
const sameMs = 100;

interface SignalHandlers {
  /** Ctrl-C was pressed. */
  onInterrupt(): void;
  /** A signal is deferred by something that must not be cut off. */
  onWait(): void;
  /** A second signal ends the process, with something in progress that was not to be cut off. Must not reject. */
  onCutOff(): Promise<void>;
}

/** The first signal asks the command to stop; a second one ends the process at once. */
export function watchSignals(host: NodeJS.Process, { onInterrupt, onWait, onCutOff }: SignalHandlers): Interruption {
  const controller = new AbortController();
  // A command may have any number of sessions and programs at once; Node warns of more than ten on stderr.
  setMaxListeners(0, controller.signal);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let held = 0;
  let paused = 0;
  const deferrals = new Map<() => void, number | undefined>();
  let askedMs: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (held > 0 && name === "SIGINT") return;
    if (askedMs !== undefined && isSame(name, askedMs)) return;
    // Ending at once would orphan the other program.
    if (askedMs !== undefined && held === 0) return cutOff();
    if (name === "SIGINT") onInterrupt();
    askedMs ??= performance.now();
    if (deferrals.size === 0) return interrupt();
    onWait();
    for (const [release, maxMs] of deferrals) {
      if (maxMs !== undefined) setTimeout(release, maxMs).unref();
    }
  };
  const interrupted = () => new Failure("interrupted", "interrupted");
  const interrupt = () => controller.abort(interrupted());
  const stop = () => {
    for (const name of signals) host.off(name, onSignal);
  };
  // An exit waits for pending system calls, and one on a pipe may never return.
  const end = () => {
    if (host.getActiveResourcesInfo().some((kind) => /^(?:FS|GetAddrInfo)Req/.test(kind))) {
      stop();
      host.kill(host.pid, "SIGINT");
    } else host.exit(exitCodes.interrupted);
  };
  let told = false;
  const cutOff = () => {
    // A third signal does not wait for the words.
    if (told || deferrals.size === 0) return end();
    told = true;
    void onCutOff().finally(end);
  };
  const start = () => {
    // A program that receives the same signal twice would treat it as the second one.
    stop();
    for (const name of signals) host.on(name, onSignal);
  };
  start();
  return {
    signal: controller.signal,
    hold: () => {
      held += 1;
      return (code) => {
        held -= 1;
        if (code === exitCodes.interrupted) onInterrupt();
      };
    },
    pause: () => {
      if (deferrals.size > 0) return () => {};
      paused += 1;
      stop();
      return () => {
        paused -= 1;
        if (paused === 0) start();
      };
    },
    defer: (maxMs) => {
      if (askedMs !== undefined) throw interrupted();
      const release = () => {
        if (deferrals.delete(release) && askedMs !== undefined && deferrals.size === 0) interrupt();
      };
      deferrals.set(release, maxMs);
      if (paused > 0) start();
      return release;
    },
    stop,
  };
}

/** A terminal that closes sends SIGHUP again and again, from its shell and from the system: no one is in a hurry. */
function isSame(name: NodeJS.Signals, askedMs: number): boolean {
  return name === "SIGHUP" || performance.now() - askedMs < sameMs;
}
