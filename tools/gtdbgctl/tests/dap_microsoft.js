// SPDX-License-Identifier: MIT
// The adapter as Microsoft's public test client sees it, with its own scenarios and
// assertions. See microsoft.sh.
'use strict';
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const assert = require('assert');
const fs = require('fs');
const path = require('path');

const tool = process.env.GTDBGCTL;
const kernels = path.join(__dirname, 'programs.cl');
const hasModule = fs.existsSync('/dev/gtdbg');
// Where the core file stands, and a line of levels, which calls outer (57), and that
// inner (52).
const WHERE = { path: kernels, line: 85 };
const CALL = { path: kernels, line: 63, verified: false };
const launch = {
	program: path.join(path.dirname(tool), 'tests', 'launch'),
	args: [kernels, 'levels', '8'], sources: [kernels],
};

async function refusals(client) {
	const answer = await client.initializeRequest();
	assert.ok(answer.body.supportsConfigurationDoneRequest);
	for (const [request, words, text] of [
		['launch', {}, /"program" is missing/],
		['launch', { program: '/nonexistent' }, /no program/],
		['attach', {}, /"pid" is missing/],
		['stackTrace', { threadId: 1 }, /No GPU thread/],
		['frobnicate', {}, /unknown request/],
	])
		await assert.rejects(client.customRequest(request, words), text);
}

async function withoutModule(client) {
	await client.initializeRequest();
	await assert.rejects(client.launchRequest({ program: 'true' }),
		/the kernel module is not loaded/);
}

// Its own sequence: configurationDone, then the place and reason of the stop.
async function coreFile(client) {
	const [, , stack] = await Promise.all([
		client.configurationSequence(),
		client.initializeRequest().then(() => {
			client._supportsConfigurationDoneRequest = true;
			return client.attachRequest({
				core: process.env.DAP_CORE, sources: [kernels] });
		}),
		client.assertStoppedLocation('pause', WHERE),
	]);
	const frameId = stack.body.stackFrames[0].id;
	const { body: { scopes } } = await client.scopesRequest({ frameId });
	const { body: { variables } } = await client.variablesRequest({
		variablesReference: scopes[0].variablesReference });
	assert.equal(variables.find((item) => item.name === 'both').value,
		'{member = 77, ratio = 2.5}');
	assert.equal((await client.evaluateRequest({
		expression: 'in[3]', frameId })).body.result, '103');
}

async function breakpoint(client) {
	await client.hitBreakpoint(launch, CALL, { path: kernels, line: 63 }, { line: 63 });
	const { body: { threads } } = await client.threadsRequest();
	const threadId = threads[0].id;
	const stops = (reason, line, request) => Promise.all([
		client.assertStoppedLocation(reason, { path: kernels, line }), request]);
	await stops('step', 57, client.stepInRequest({ threadId }));
	await stops('step', 52, client.stepInRequest({ threadId }));
	await stops('step', 57, client.stepOutRequest({ threadId }));
	await stops('step', 58, client.nextRequest({ threadId }));
	// Item i has i + 100, and stores three times that and 3; the rest stays.
	const values = [...Array(64).keys()].map(
		(i) => i < 8 ? 3 * (i + 100) + 3 : i + 100).join(' ');
	await Promise.all([
		client.assertOutput('stdout', values + '\n'),
		client.waitForEvent('exited').then(
			(event) => assert.equal(event.body.exitCode, 0)),
		client.waitForEvent('terminated'),
		client.continueRequest({ threadId }),
	]);
}

async function main() {
	const tests = [refusals, coreFile, hasModule ? breakpoint : withoutModule];
	let failed = 0;

	console.log('TAP version 13');
	for (const [i, test] of tests.entries()) {
		const client = new DebugClient(tool, 'dap', 'gtdbg');
		client.defaultTimeout = 240000;
		await client.start();
		const error = await test(client).then(() => null, (reason) => reason);
		await client.stop();
		if (error)
			console.log('# ' + String(error.stack).replace(/\n/g, '\n# '));
		console.log(`${error ? 'not ok' : 'ok'} ${i + 1} - ${test.name}`);
		failed |= Boolean(error);
	}
	console.log(`1..${tests.length}`);
	process.exit(failed ? 1 : 0);
}

main();
