// Times the real RegexFilterProcessor on the work that bench_regex_filter.py describes in the first
// line of standard input: {options, texts: {name: text}, work: [{name, kind, options, text, size}]}.
// Every further line is the number of a piece of work: it is done once, and the microseconds that
// it took are printed on a line.
import { createInterface } from 'node:readline';
import { RegexFilterProcessor } from '@mastra/core/processors';

const decode = ({ rules, ...rest }) => ({
  ...rest,
  ...(rules ? { rules: rules.map(({ pattern, flags, ...r }) => ({ ...r, pattern: new RegExp(pattern, flags ?? 'g') })) } : {}),
});

const cut = (text, size) => {
  const parts = [];
  for (let at = 0; at < text.length; at += size) {
    parts.push({ type: 'text-delta', runId: 'r', from: 'AGENT', payload: { id: 't1', text: text.slice(at, at + size) } });
  }
  parts.push({ type: 'text-end', runId: 'r', from: 'AGENT', payload: { id: 't1' } });
  return parts;
};

const abort = () => { throw new Error('abort'); };
const writer = { custom: async () => {} };

async function stream(processor, parts) {
  const state = {};
  for (const part of parts) {
    await processor.processOutputStream({ part, streamParts: [], state, writer, retryCount: 0, abort });
    while (state.__mastraReprocessPart) {
      const again = state.__mastraReprocessPart;
      delete state.__mastraReprocessPart;
      await processor.processOutputStream({ part: again, streamParts: [], state, writer, retryCount: 0, abort });
    }
  }
}

const prepare = (job, { kind, options, text, size, repeat }) => {
  const processor = new RegexFilterProcessor(decode(job.options[options]));
  processor.onViolation = () => {};
  const body = job.texts[text];
  const parts = kind === 'stream' ? cut(body, size) : null;
  const messages = [{ id: 'm1', role: 'user', content: { format: 2, parts: [{ type: 'text', text: body }] } }];
  return async () => {
    const begun = process.hrtime.bigint();
    if (kind === 'stream') await stream(processor, parts);
    else for (let k = 0; k < repeat; k++) await processor.processInput({ messages, state: {}, abort });
    return Number(process.hrtime.bigint() - begun) / 1000 / repeat;
  };
};

let job = null;
let ready = [-1, null];
for await (const line of createInterface({ input: process.stdin })) {
  if (job === null) {
    job = JSON.parse(line);
    continue;
  }
  const number = Number(line);
  if (ready[0] !== number) ready = [number, prepare(job, job.work[number])];
  console.log(await ready[1]());
}
