/** The bell at No More Bets where the book wants one, and speech for calls and results where that is wished. */
import { keep, kept } from '../../app/keep';
import type { Language } from '../../words/language.svelte';
import { translate } from '../../law/translation.svelte';
import type { Moment } from '../../table/moment';
import type { RoomView } from '../../wire';
import { t } from './words';

const state = $state({ sound: kept('sound', true), speak: kept('speak', false) });

export function sound(): boolean {
  return state.sound;
}
export function speaks(): boolean {
  return state.speak;
}
export function setSound(on: boolean): void {
  state.sound = on;
  keep('sound', on);
}
export function setSpeak(on: boolean): void {
  state.speak = on;
  keep('speak', on);
}

let last = '';

/** Called whenever the room changes: once for each call and each result. */
export function follow(room: RoomView, { result }: Moment, language: Language): void {
  const call = result ? `result ${result.round} ${result.outcome}` : room.call ? `${room.call.id} ${room.round}` : '';
  if (!call || call === last) return;
  const first = last === '';
  last = call;
  if (first) return; // what had been called before this page was opened
  if (room.call?.bell && !result && state.sound) ring();
  if (state.speak) speak(room, result, language);
}

function speak(room: RoomView, result: Moment['result'], language: Language): void {
  const line = result ? translate(room.words) : { text: spoken(room, language), lang: undefined };
  const speech = new SpeechSynthesisUtterance(line.text);
  speech.lang = line.lang ?? (language === 'en' ? 'en' : 'zh-CN');
  window.speechSynthesis?.speak(speech);
}

function spoken(room: RoomView, language: Language): string {
  if (language === 'en') return room.call?.words ?? '';
  return (
    { 'place-your-bets': t('placeBets'), 'no-more-bets': t('noMoreBets'), 'no-spin': t('noSpin') }[
      room.call?.id ?? ''
    ] ?? ''
  );
}

let rung = 0;
let context: AudioContext | undefined;

/** A struck bell: a few partials that die away. */
function ring(): void {
  rung += 1;
  document.documentElement.dataset['bell'] = String(rung); // for tests
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [partial, loud] of [
    [1, 0.3],
    [2.76, 0.16],
    [5.4, 0.07],
  ] as const) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = 880 * partial;
    gain.gain.setValueAtTime(loud, now);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + 1.6 / partial);
    tone.connect(gain).connect(context.destination);
    tone.start(now);
    tone.stop(now + 1.7);
  }
}
