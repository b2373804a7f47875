// Lines of JSON on stdin, a line of JSON each on stdout. Runs away no longer than 500 ms a case.
const vm = require('node:vm');
const fs = require('node:fs');
const path = require('node:path');
const context = vm.createContext({});
vm.runInContext(fs.readFileSync(path.join(__dirname, 'v8.js'), 'utf8'), context);
const call = new vm.Script('tripscopeCase(line)');
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const answers = JSON.parse(line).map((one) => {
    context.line = JSON.stringify(one);
    try {
      return call.runInContext(context, { timeout: 500 });
    } catch (error) {
      return JSON.stringify({ gaveUp: String(error.message) });
    }
  });
  process.stdout.write('[' + answers.join(',') + ']\n');
});
