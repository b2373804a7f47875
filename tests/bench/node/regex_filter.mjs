// Times the real RegexFilterProcessor on the work that bench_regex_filter.py describes on standard
// input: {options, texts: {name: text}, work: [{name, kind, options, text, size, times}]}.
// Prints {name: microseconds} (the best of 'times') on one line.
import { readFileSync } from 'node:fs';
import { RegexFilterProcessor } from '@mastra/core/processors';

const job = JSON.parse(readFileSync(0, 'utf8'));

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

const results = {};
for (const { name, kind, options, text, size, times, repeat } of job.work) {
  const processor = new RegexFilterProcessor(decode(job.options[options]));
  processor.onViolation = () => {};
  const body = job.texts[text];
  const parts = kind === 'stream' ? cut(body, size) : null;
  const messages = [{ id: 'm1', role: 'user', content: { format: 2, parts: [{ type: 'text', text: body }] } }];
  let best = Infinity;
  for (let n = 0; n < times; n++) {
    const begun = process.hrtime.bigint();
    if (kind === 'stream') await stream(processor, parts);
    else for (let k = 0; k < repeat; k++) await processor.processInput({ messages, state: {}, abort });
    const took = Number(process.hrtime.bigint() - begun) / 1000 / repeat;
    if (took < best) best = took;
  }
  results[name] = best;
}
console.log(JSON.stringify(results));
