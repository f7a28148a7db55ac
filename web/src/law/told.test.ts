import { beforeAll, expect, test, vi } from 'vitest';

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh', setItem: () => undefined });
  vi.stubGlobal('location', { hash: '' });
});

test('what the floor says in English is said in Chinese, with its facts', async () => {
  const { tell } = await import('./told');
  const said = (sentence: string) => tell(sentence).text;
  expect(said('Dana calls no more bets.')).toBe('Dana 喊“停止下注”。');
  expect(said('A1 bets 50.00 on total:9 in round 3 as A1.3.')).toBe('A1 下注 50.00 于 总和 9，第 3 局，编号 A1.3。');
  expect(said('Sam spins the ball with the wheel.')).toBe('Sam 掷出滚珠(滚珠与轮盘同向)。');
  expect(said('Layout A lights small, single:1.')).toBe('布局 A 亮起：小、单骰 1。');
  expect(said('Bet a1 of Ann wins 5.00 and gets 5.00 back (3.9).')).toBe('Ann 的投注 a1 赢 5.00，退回 5.00(3.9)。');
  expect(said('Round 4 is void: 120.00 of stakes goes back to 3 Players, who are told (5.5.2).')).toBe('第 4 局作废：注额 120.00 退还 3 位玩家并告知(5.5.2)。');
  expect(said('Sam sets limits unit 1.00, minimum 5.00, maximum triple 100.00.')).toBe('Sam 设定限额 筹码单位 1.00、最低 5.00、最高 围骰 100.00。');
  expect(said('system interrupts the device.')).toBe('赌台系统 报告中断：摇骰器或轮盘。');
});

test('a sentence that nobody knows stays as it is, and says in which language', async () => {
  const { tell } = await import('./told');
  expect(tell('Something else happened.')).toEqual({ text: 'Something else happened.', lang: 'en' });
});
