/** English in strange letters, 40% longer: the same as `src/croupier/words/pseudo.py` makes. */
const PLAIN = 'aeiounycAEIOUNYC';
const STRANGE = 'áëïôüñýçÁËÏÔÜÑÝÇ';

export function lengthened(text: string): string {
  const core = text.trim();
  if (!/\p{L}/u.test(core)) return text;
  const strange = [...core].map((letter) => STRANGE[PLAIN.indexOf(letter)] ?? letter).join('');
  return text.replace(core, () => strange + '~'.repeat(Math.ceil(([...core].length * 2) / 5)));
}
