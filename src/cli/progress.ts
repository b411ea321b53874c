import { SingleBar } from "cli-progress";

/** Progress of a known amount of work. `done` more units at each call of `advance`. */
export interface Progress {
  advance(done: number): void;
  stop(): void;
}

/** A bar on a terminal; elsewhere a line at every quarter, so that a log stays readable. */
export function startProgress(
  label: string,
  total: number,
  stream: NodeJS.WriteStream = process.stderr,
): Progress {
  return stream.isTTY
    ? bar(label, total, stream)
    : lines(label, total, (line) => stream.write(line));
}

function bar(label: string, total: number, stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar({
    stream,
    format: `${label} {bar} {percentage}% {value}/{total}`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
  });
  single.start(total, 0);
  return { advance: (done) => single.increment(done), stop: () => single.stop() };
}

export function lines(label: string, total: number, write: (line: string) => void): Progress {
  let done = 0;
  let quarter = 0;
  return {
    advance(more) {
      done += more;
      const reached = total === 0 ? 4 : Math.floor((done / total) * 4);
      if (reached > quarter) write(`${label} ${done}/${total}\n`);
      quarter = Math.max(quarter, reached);
    },
    stop() {},
  };
}
