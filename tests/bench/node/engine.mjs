// Times the real Agent.stream on a scripted model: {deltas, processors: [0, 1, 3], times} on standard
// input. Prints {"<processors>": microseconds per chunk, best of `times`} on one line.
import { readFileSync } from 'node:fs';
import { Agent } from '@mastra/core/agent';

const job = JSON.parse(readFileSync(0, 'utf8'));

const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

function* parts(deltas) {
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: 't1' };
  for (let n = 0; n < deltas; n++) yield { type: 'text-delta', id: 't1', delta: 'abcd' };
  yield { type: 'text-end', id: 't1' };
  yield { type: 'finish', finishReason: 'stop', usage };
}

const model = (deltas) => ({
  specificationVersion: 'v2',
  provider: 'mock',
  modelId: 'mock',
  supportedUrls: {},
  async doGenerate() { throw new Error('not used'); },
  async doStream() {
    const source = parts(deltas);
    const stream = new ReadableStream({
      pull(controller) {
        const { value, done } = source.next();
        if (done) controller.close(); else controller.enqueue(value);
      },
    });
    return { stream };
  },
});

const passThrough = (n) => ({ id: `p${n}`, async processOutputStream({ part }) { return part; } });

async function once(deltas, count) {
  const agent = new Agent({
    id: 'bench', name: 'bench', instructions: 'x', model: model(deltas),
    outputProcessors: Array.from({ length: count }, (_, n) => passThrough(n)),
  });
  const begun = process.hrtime.bigint();
  const output = await agent.stream('hello');
  let seen = 0;
  for await (const chunk of output.fullStream) if (chunk.type === 'text-delta') seen++;
  if (seen !== deltas) throw new Error(`saw ${seen} of ${deltas} deltas`);
  return Number(process.hrtime.bigint() - begun) / 1000 / deltas;
}

const results = {};
for (const count of job.processors) {
  let best = Infinity;
  for (let n = 0; n < job.times; n++) best = Math.min(best, await once(job.deltas, count));
  results[count] = best;
}
console.log(JSON.stringify(results));
process.exit(0);
