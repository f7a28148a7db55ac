import { words } from '../../words/catalogue.svelte';

export const t = words('lab');

export const percent = (share: number, digits = 2): string => `${(share * 100).toFixed(digits)}%`;
export const whole = (number: number): string => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',');
