/**
 * What the floor and its books say, in the reader's language. Both speak English, the law only that: the books' sentences
 * come in Chinese from beside the books (rules/translations.py), the floor's own are read by their template and said by the
 * other. In a template `{fact}` stands for a fact, `[…]` for what may be left out. tests/test_told_words.py and
 * tests/rules/test_law_words.py keep them whole.
 */
import { actName, boxName, kindName, phaseName, roleName } from '../words/names';
import { language, tag } from '../words/language.svelte';
import { lawBy, words } from '../words/catalogue.svelte';
import type { LawWords } from '../wire';

const act = words('acts');
const t = words('staff');
lawBy((sentence) => tell(sentence).text);

/** The language into which books are translated. */
export const TRANSLATED = 'zh';

interface Template {
  reads: RegExp;
  says: string;
}
type Facts = Readonly<Record<string, string | undefined>>;
export interface Told {
  text: string;
  /** The language of the text, where it is not the page's. */
  lang: string | undefined;
}

const MANY = new Set(
  'reason note limits lost roles unchecked seats bets rounds layouts words boxes people irregularity act fact kind streams rows tickets checkpoints lie where why what gain numbers spans file how'.split(
    ' ',
  ),
);
const WORD = '(?:"(?:\\\\.|[^"\\\\])*"|\\S+)';
const WORDS = /\p{L}{2}/u;
const NUMBER = '[-\\dS.,/]+';
const NUMBERS = new Set(['odds', 'face', 'count']);

export function pattern(template: string, wide = false): string {
  return template
    .split(/(\[[^\]]*\]|\{\w+\})/)
    .map((piece) => {
      const name = piece.slice(1, -1);
      if (piece.startsWith('[')) return `(?:${pattern(name, wide)})?`;
      if (name === 'with_wheel') return '(?<with_wheel> with the wheel)';
      if (piece.startsWith('{')) {
        const kind = base(name);
        return `(?<${name}>${NUMBERS.has(kind) ? NUMBER : wide || MANY.has(kind) ? '.*?' : WORD})`;
      }
      return piece.replace(/[.*+?^$()|\\{}[\]]/g, '\\$&');
    })
    .join('');
}

const base = (name: string) => name.replace(/\d+$/, '');
const template = (english: string, says: string, wide = false): Template => ({
  reads: new RegExp(`^${pattern(english, wide)}$`, 'u'),
  says,
});
const letters = (english: string) => english.replace(/\{\w+\}/g, '').length;

/** Learned when a page is first read in Chinese: whoever reads English does not wait for it. */
interface Learned {
  law: Readonly<Record<string, string>>;
  floor: readonly Template[];
}
const state = $state<{ learned: Learned | null }>({ learned: null });
let learning: Promise<void> | null = null;
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- `state.learned` says when it is empty
const known = new Map<string, Told>();

export function learn(): Promise<void> {
  learning ??= Promise.all([import('./told.zh.json'), fetchLaw()]).then(([{ default: zh }, law]) => {
    const whole = {
      ...zh.sentences,
      ...Object.fromEntries(Object.entries(zh.acts).map(([english, says]) => [`{by} ${english}.`, `{by} ${says}。`])),
    };
    // What says more in its own words is the better reading.
    const floor = [
      ...Object.entries(whole).map((pair) => [...pair, false] as const),
      ...Object.entries(zh.said).map((pair) => [...pair, true] as const),
    ].sort(([one], [other]) => letters(other) - letters(one));
    known.clear();
    state.learned = {
      law,
      floor: floor.map(([english, says, wide]) => template(english, says, wide)),
    };
  });
  return learning;
}

async function fetchLaw(): Promise<Readonly<Record<string, string>>> {
  try {
    const answer = await fetch(`/api/words/${TRANSLATED}`);
    return answer.ok ? ((await answer.json()) as LawWords).words : {};
  } catch {
    return {};
  }
}

/** A sentence does not say what is dealt with: dice and wheel are both named where they differ. */
function eitherPhase(fact: string): string {
  return [...new Set([phaseName(fact, 'dice'), phaseName(fact, 'wheel')])].join('／');
}

/** Facts that have names in the reader's language. */
const SPOKEN: Readonly<Record<string, (fact: string) => string>> = {
  box: boxName,
  limits: (fact) => fact.split(', ').map(limit).join('、'),
  lost: (fact) =>
    fact
      .split(', ')
      .map((one) => one.replace(/ on (\S+)$/, (_, box: string) => ` 于 ${boxName(box)}`))
      .join('、'),
  roles: (fact) => fact.split(/,? /).map(roleName).join('、'),
  part: (fact) => (fact === 'server' || fact === 'console' || fact === 'device' ? act(`part_${fact}`) : fact),
  how: (fact) => (isEnding(fact) ? act(`ending_${fact}`) : spoken(fact)),
  by: (fact) => (fact.toLowerCase() === 'system' ? roleName('system') : fact),
  with_wheel: () => `(${act('with_wheel')})`,
  phase: eitherPhase,
  numbers: (fact) => fact.replaceAll(', ', '、').replace(' or ', ' 或 ').replace(' and ', ' 和 '),
  spans: (fact) => fact.replaceAll(', ', '、').replaceAll(' to ', ' 至 '),
  reason: String,
  note: String,
};

const ENDINGS = ['logout', 'everywhere', 'idle', 'expired', 'retired', 'password', 'crowded'] as const;

function isEnding(fact: string): fact is (typeof ENDINGS)[number] {
  return (ENDINGS as readonly string[]).includes(fact);
}

/** `maximum triple 100.00` → 最高 围骰 100.00 */
function limit(text: string): string {
  const [word, ...rest] = text.split(' ');
  const name = word === 'unit' || word === 'minimum' || word === 'maximum' || word === 'differential' ? t(word) : word;
  return [name, ...rest.map((part, index) => (index < rest.length - 1 ? kindName(part) : part))].join(' ');
}

/** A fact that nobody has a way to say of its own: a sentence in a sentence, a list of names, a name. */
function spoken(fact: string): string {
  if (!WORDS.test(fact)) return fact.replaceAll(', ', '、');
  const told = tell(fact);
  if (!told.lang) return told.text;
  return fact
    .split(/, | or /)
    .map((one) =>
      /^[a-z-]+(:\S+)?$/.test(one) ? first(one, roleName(one), eitherPhase(one), boxName(one)) : actName(one, 'dice'),
    )
    .join('、');
}

const first = (name: string, ...said: readonly string[]) => said.find((one) => one !== name) ?? name;

function fill(says: string, facts: Facts): string {
  const whole = says.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => facts[name!] !== undefined) ? part : '',
  );
  return whole.replace(/\{(\w+)\}/g, (_, name: string) => (SPOKEN[base(name)] ?? spoken)(facts[name] ?? ''));
}

/** What a sentence is in the reader's language. */
export function tell(sentence: string): Told {
  if (language() !== TRANSLATED) return { text: sentence, lang: tag() === 'en' ? undefined : 'en' };
  if (!state.learned) {
    void learn();
    return { text: sentence, lang: 'en' };
  }
  const before = known.get(sentence);
  if (before) return before;
  const text = read(sentence, state.learned);
  const told =
    text === null ? { text: sentence, lang: WORDS.test(sentence) ? 'en' : undefined } : { text, lang: undefined };
  if (known.size < 5_000) known.set(sentence, told);
  return told;
}

function read(sentence: string, { law, floor }: Learned): string | null {
  if (law[sentence]) return law[sentence];
  return using(floor, sentence);
}

function using(templates: readonly Template[], sentence: string): string | null {
  for (const { reads, says } of templates) {
    const found = reads.exec(sentence);
    if (found) return fill(says, found.groups ?? {});
  }
  return null;
}
