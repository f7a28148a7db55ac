import { beforeAll, expect, test, vi } from 'vitest';

const LAW = {
  'No more bets': '停止下注',
  '1, double 3, total 7': '1、对 3、总和 7',
};

beforeAll(async () => {
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, json: () => Promise.resolve({ words: LAW }) }));
  (await import('../words/language.svelte')).switchTo('zh');
  const { tell, learn } = await import('./told.svelte');
  expect(tell('No more bets').lang, 'English until the words have come').toBe('en');
  await learn();
});

async function said(sentence: string): Promise<string> {
  const { tell } = await import('./told.svelte');
  const { text, lang } = tell(sentence);
  expect(lang, sentence).toBeUndefined();
  return text;
}

test('what the floor says in English is said in Chinese, with its facts', async () => {
  expect(await said('Dana calls no more bets.')).toBe('Dana 喊“停止下注”。');
  expect(await said('A1 bets 50.00 on total:9 in round 3 as A1.3.')).toBe(
    'A1 下注 50.00 于 总和 9，第 3 局，编号 A1.3。',
  );
  expect(await said('Sam spins the ball with the wheel.')).toBe('Sam 掷出滚珠(滚珠与轮盘同向)。');
  expect(await said('Sam sets limits unit 1.00, minimum 5.00, maximum triple 100.00.')).toBe(
    'Sam 设定限额 筹码单位 1.00、最低 5.00、最高 围骰 100.00。',
  );
  expect(await said('system interrupts the device.')).toBe('赌台系统 报告中断：摇骰器或轮盘。');
});

test('a refusal is told with its facts', async () => {
  expect(await said('600.00 on big is over the maximum 500.00')).toBe('大 上的 600.00 超过最高注额 500.00');
  expect(await said('No more bets was called')).toBe('已喊“停止下注”');
  expect(await said('Dana is dealer and may not SetLimits; allowed: pit-manager, shift-manager')).toBe(
    'Dana 的职务为 荷官，无权设定限额；有权者：区域经理、值班经理',
  );
  expect(await said('OpenTable has no place while the table is betting')).toBe('赌台状态为“正在下注”时不能开台');
  expect(await said('there is no table "T9" here; there is T1, T2')).toBe('此处没有赌台“T9”；有：T1、T2');
  expect(await said('OpenTable has no place while the table is rest')).toBe('赌台状态为“骰子已停／滚珠已停”时不能开台');
  expect(
    await said(
      'total:9 cannot pay so: "eight" is not odds; write them as the book prints them, "6 to 1" or "8.5 to 1"',
    ),
  ).toBe('总和 9 不能这样赔付：“eight”不是赔率；请按规则书的写法，例如“6 to 1”或“8.5 to 1”');
});

test('a sentence in a sentence is told too', async () => {
  expect(await said('T1, row 7: ticket 123 was never made')).toBe('T1 第 7 行：票券 123 从未发出');
});

test('a statement says the words of a book in the language of the reader', async () => {
  const { sentence } = await import('../words/catalogue.svelte');
  const opened = { id: 'event-closed-by-bell', facts: { words: 'No more bets' }, clause: '3.5' };
  expect(sentence(opened)).toBe('“停止下注”，并摇铃(3.5)。');
});

test('a result is told as it is called', async () => {
  expect(await said('1, double 3, total 7')).toBe('1、对 3、总和 7');
});

test('a sentence that nobody knows stays as it is, and says in which language', async () => {
  const { tell } = await import('./told.svelte');
  expect(tell('Something else happened.')).toEqual({ text: 'Something else happened.', lang: 'en' });
  expect(tell('17')).toEqual({ text: '17', lang: undefined });
});
