/**
 * The floor's own sentences in the reader's language. They are made in English, where their templates are
 * (transcript/phrases.py, transcript/story.py, table/acts.py); a sentence is read by its template and said by the other.
 * In a template `{fact}` stands for a fact, `[…]` for what may be left out. tests/test_told_words.py keeps them whole.
 */
import { boxName, kindName } from '../i18n/boxes';
import { language } from '../i18n/language.svelte';
import { act } from '../staff/acts/words';
import { roleName, t } from '../staff/words';
import zh from './told.zh.json';

interface Template {
  reads: RegExp;
  says: string;
}
type Facts = Readonly<Record<string, string | undefined>>;

const MANY = new Set('reason note limits lost roles unchecked seats bets rounds layouts words boxes people irregularity consequence act'.split(' '));
const WORD = '(?:"(?:\\\\.|[^"\\\\])*"|\\S+)';

export function pattern(template: string): string {
  return template
    .split(/(\[[^\]]*\]|\{\w+\})/)
    .map((piece) => {
      const name = piece.slice(1, -1);
      if (piece.startsWith('[')) return `(?:${pattern(name)})?`;
      if (name === 'with_wheel') return '(?<with_wheel> with the wheel)';
      if (piece.startsWith('{')) return `(?<${name}>${MANY.has(name) ? '.*?' : WORD})`;
      return piece.replace(/[.*+?^$()|\\{}[\]]/g, '\\$&');
    })
    .join('');
}

let made: readonly Template[] | null = null;
/** Made when a page is first read in Chinese: whoever reads English does not wait for them. */
function templates(): readonly Template[] {
  made ??= [
    ...Object.entries(zh.sentences).map(([english, says]) => ({ reads: new RegExp(`^${pattern(english)}$`, 'u'), says })),
    ...Object.entries(zh.acts).map(([english, says]) => ({ reads: new RegExp(`^(?<by>${WORD}) ${pattern(english)}\\.$`, 'u'), says: `{by} ${says}。` })),
  ];
  return made;
}

/** Facts that have names in the reader's language. */
const SPOKEN: Readonly<Record<string, (fact: string) => string>> = {
  box: boxName,
  boxes: (fact) => fact.split(', ').map(boxName).join('、'),
  limits: (fact) => fact.split(', ').map(limit).join('、'),
  roles: (fact) => fact.split(' ').map(roleName).join('、'),
  part: (fact) => (fact === 'server' || fact === 'console' || fact === 'device' ? act(`part_${fact}`) : fact),
  treatment: (fact) => (['stand', 'move', 'return', 'void', 'result'].includes(fact) ? act(`treatment_${fact as 'void'}`) : fact),
  by: (fact) => (fact.toLowerCase() === 'system' ? roleName('system') : fact),
  with_wheel: () => `(${act('with_wheel')})`,
};

/** `maximum triple 100.00` → 最高 围骰 100.00 */
function limit(text: string): string {
  const [word, ...rest] = text.split(' ');
  const name = word === 'unit' || word === 'minimum' || word === 'maximum' || word === 'differential' ? t(word) : word;
  return [name, ...rest.map((part, index) => (index < rest.length - 1 ? kindName(part) : part))].join(' ');
}

function fill(says: string, facts: Facts): string {
  const whole = says.replace(/\[([^\]]*)\]/g, (_, part: string) => ([...part.matchAll(/\{(\w+)\}/g)].every(([, name]) => facts[name!] !== undefined) ? part : ''));
  return whole.replace(/\{(\w+)\}/g, (_, name: string) => (SPOKEN[name] ?? String)(facts[name] ?? ''));
}

/** What a sentence is in the reader's language, and the language it is in. */
export function tell(sentence: string): { text: string; lang: string | undefined } {
  if (language() === 'en') return { text: sentence, lang: undefined };
  for (const { reads, says } of templates()) {
    const found = reads.exec(sentence);
    if (found) return { text: fill(says, found.groups ?? {}), lang: undefined };
  }
  return { text: sentence, lang: 'en' };
}
