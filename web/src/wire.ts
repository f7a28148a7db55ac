// Written by `make docs` from the structs of the server (web/wire.py): do not edit.
// Amounts are whole cents. Optional keys may be left out when sent; what is always sent by the floor is not optional.

export interface AccountKept {
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
  retired: boolean;
  has_password: boolean;
  sessions: number;
  confirmed: boolean;
  vouched_by: readonly string[];
}

export interface AccountMade {
  type: 'AccountMade';
  by: string;
  at: number;
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

export interface AccountRetired {
  type: 'AccountRetired';
  by: string;
  at: number;
  person: string;
  reason: string;
}

export interface AcknowledgeAlert {
  type: 'AcknowledgeAlert';
  by: string;
  at: number;
  alert: number;
  note?: string;
}

/** An act that a person may do now: its command, and the words that are called with it. */
export interface Act {
  act: string;
  says: string;
  bell: boolean;
  clause: string | null;
  may: boolean;
  two: boolean;
  needs: readonly Need[];
}

/** What would happen. Sums are over all bets; only the first lines are listed. */
export interface ActPreview {
  two: boolean;
  void: string | null;
  lock: string | null;
  words: string;
  outcome: string | null;
  lit: Readonly<Record<string, readonly string[]>>;
  collected: number;
  winnings: number;
  returned: number;
  owed: number;
  told: number;
  lines: readonly PreviewedBet[];
  lines_in_all: number;
}

/** Register a passkey of a person; `host` is the host of the pages it was made for. */
export interface AddPasskey {
  type: 'AddPasskey';
  by: string;
  at: number;
  person: string;
  credential: string;
  key: string;
  host: string;
  session?: string;
}

/** From now on apply this version of the rules of who is who. */
export interface AdoptRules {
  type: 'AdoptRules';
  by: string;
  at: number;
  rules: number;
}

export interface AdviseShort {
  type: 'AdviseShort';
  by: string;
  at: number;
  bet: string;
}

export interface Alert {
  number: number;
  kind: string;
  table: string;
  what: string;
  raised_at: number;
  raised_by: string;
  acknowledged_at: number;
  acknowledged_by: string;
  note: string;
  case?: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  because?: Because | null;
}

export interface AlertAcknowledged {
  type: 'AlertAcknowledged';
  by: string;
  at: number;
  alert: number;
  note: string;
}

export interface AlertRaised {
  type: 'AlertRaised';
  by: string;
  at: number;
  alert: number;
  kind: string;
  table: string;
  what?: string;
  case?: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  because?: Because | null;
}

export interface AmendResult {
  type: 'AmendResult';
  by: string;
  at: number;
  outcome: string;
}

/** An act that waits for a second person, and its place. */
export interface Approval {
  place: string;
  request: WaitingNow;
}

export interface ApprovalDeclined {
  type: 'ApprovalDeclined';
  by: string;
  at: number;
  request: number;
}

export interface ApprovalGiven {
  type: 'ApprovalGiven';
  by: string;
  at: number;
  request: number;
  asked_by: string;
}

/** A request for a second person, and its outcome. */
export interface ApprovalRecord {
  place: string;
  number: number;
  asked_by: string;
  asked_at: number;
  act: string;
  told: Statement;
  digest: string;
  expires: number;
  state: 'approved' | 'declined' | 'expired' | 'waiting';
  by: string;
  at: number;
}

export interface ApprovalRequested {
  type: 'ApprovalRequested';
  by: string;
  at: number;
  request: number;
  command: string;
  digest: string;
  expires: number;
}

export interface Approvals {
  requests: readonly ApprovalRecord[];
}

/** A second person agrees to exactly the content of a request. */
export interface Approve {
  type: 'Approve';
  by: string;
  at: number;
  request: number;
  digest: string;
  signature?: Signature | null;
}

/** A second person agrees to exactly the content of a request; `found` is the state of its ticket now. */
export interface ApproveRequest {
  type: 'ApproveRequest';
  by: string;
  at: number;
  request: number;
  digest: string;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
  signature?: Signature | null;
}

export interface AskAcknowledgeAlert {
  type: 'AcknowledgeAlert';
  alert: number;
  note?: string;
}

/** Register a passkey of a person; `host` is the host of the pages it was made for. */
export interface AskAddPasskey {
  type: 'AddPasskey';
  credential: string;
  key: string;
}

export interface AskAdviseShort {
  type: 'AdviseShort';
  bet: string;
}

export interface AskAmendResult {
  type: 'AmendResult';
  outcome: string;
}

/** A second person agrees to exactly the content of a request. */
export interface AskApprove {
  type: 'Approve';
  request: number;
  digest: string;
  signature?: AskSignature | null;
}

/** A second person agrees to exactly the content of a request; `found` is the state of its ticket now. */
export interface AskApproveRequest {
  type: 'ApproveRequest';
  request: number;
  digest: string;
  signature?: AskSignature | null;
}

export interface AskAssignStaff {
  type: 'AssignStaff';
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** What the dice or the ball show after an interruption: the whole result, a part of it, or nothing. */
export interface AskAttest {
  type: 'Attest';
  shown: readonly string[];
}

export interface AskCallNoMoreBets {
  type: 'CallNoMoreBets';
  allowed_by?: string | null;
}

/** Give up the planned change of the book: needs two people. */
export interface AskCancelPlan {
  type: 'CancelPlan';
  reason: string;
}

/** Turn credit into a ticket. The sender chooses its number and its last moment. */
export interface AskCashOut {
  type: 'CashOut';
  seat: string;
  amount: number;
}

/** Show another layout on a Player Terminal: only where the layout is the terminal's. */
export interface AskChooseLayout {
  type: 'ChooseLayout';
  seat: string;
  layout: string;
}

export interface AskCloseTable {
  type: 'CloseTable';
}

/** A confirmed person vouches that the person who chose the password with this digest is who they say they are. */
export interface AskConfirmPerson {
  type: 'ConfirmPerson';
  person: string;
  digest: string;
}

export interface AskConfirmResult {
  type: 'ConfirmResult';
}

export interface AskCorrectResult {
  type: 'CorrectResult';
  round: number;
  outcome: string;
  reason: string;
}

/** The Shift Manager's decision where no clause applies. */
export interface AskDecide {
  type: 'Decide';
  treatment: 'result' | 'return' | 'void';
  reason: string;
  outcome?: string;
  bets?: readonly string[];
}

/** Treat a moved or unclear bet: let it stand, move it to a box, or return it. */
export interface AskDecideBet {
  type: 'DecideBet';
  bet: string;
  treatment: 'move' | 'return' | 'stand';
  reason: string;
  box?: string;
}

export interface AskDecideResult {
  type: 'DecideResult';
  outcome: string;
  reason: string;
}

export interface AskDecline {
  type: 'Decline';
  request: number;
}

export interface AskDeclineRequest {
  type: 'DeclineRequest';
  request: number;
}

/** Take money from the table's bank to the cage. */
export interface AskDrainBank {
  type: 'DrainBank';
  amount: number;
}

export interface AskDropPasskey {
  type: 'DropPasskey';
  person: string;
  credential: string;
}

export interface AskEmployStaff {
  type: 'EmployStaff';
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** The dice or the ball have come to rest after so many tumbles or revolutions. */
export interface AskEndMotion {
  type: 'EndMotion';
  count: number;
}

export interface AskEnterNumber {
  type: 'EnterNumber';
  number: string;
}

/** Bring money from the cage to the table's bank. */
export interface AskFillBank {
  type: 'FillBank';
  amount: number;
}

/** Issue colour chips: the colour belongs to one Player, its value is set now. */
export interface AskGiveColour {
  type: 'GiveColour';
  seat: string;
  colour: string;
  value: number;
}

/** Credit without money: needs two people. */
export interface AskGiveCredit {
  type: 'GiveCredit';
  seat: string;
  amount: number;
  reason: string;
}

export interface AskInterrupt {
  type: 'Interrupt';
  part: 'console' | 'device' | 'server';
}

export interface AskInterruptTerminals {
  type: 'InterruptTerminals';
  seats: readonly string[];
  lost?: readonly AskLostBet[];
}

export interface AskLeaveSeat {
  type: 'LeaveSeat';
  seat: string;
}

/** The House's limits: amounts by box name, by kind of box (`total`), or for all boxes (`*`). */
export interface AskLimits {
  minimum: Readonly<Record<string, number>>;
  maximum: Readonly<Record<string, number>>;
  unit: number;
  differential?: number | null;
}

/** A bet a terminal tried to place in an interruption and that was never registered. */
export interface AskLostBet {
  seat: string;
  box: string;
  stake: number;
}

export interface AskMakeAccount {
  type: 'MakeAccount';
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

export interface AskOpenBetting {
  type: 'OpenBetting';
}

/** Open for gaming; `unchecked` names opening checks that were not made. */
export interface AskOpenTable {
  type: 'OpenTable';
  unchecked?: readonly string[];
}

export interface AskPayOut {
  type: 'PayOut';
  seat: string;
  amount: number;
}

export interface AskPayTicket {
  type: 'PayTicket';
  ticket: string;
}

/** Pay an expired ticket. Needs two people. */
export interface AskPayUnclaimed {
  type: 'PayUnclaimed';
  ticket: string;
  reason: string;
}

export interface AskPayWinners {
  type: 'PayWinners';
}

/** A bet, or a raise of one. `colour_chips` counts the Player's colour chips when the stake is made of them. */
export interface AskPlaceBet {
  type: 'PlaceBet';
  id: string;
  round: number;
  seat: string;
  box: string;
  stake: number;
  colour_chips?: number;
}

export interface AskPressEntry {
  type: 'PressEntry';
}

export interface AskPressKey {
  type: 'PressKey';
  face: string;
}

/** Turn a ticket into credit. The sender has looked up the amount and the state of the ticket. */
export interface AskRedeemTicket {
  type: 'RedeemTicket';
  seat: string;
  ticket: string;
}

export interface AskRejectExcess {
  type: 'RejectExcess';
  bet: string;
  amount: number;
}

/** Take cash for a debt that a correction left. */
export interface AskRepayDebt {
  type: 'RepayDebt';
  seat: string;
  amount: number;
}

/** Report an irregularity of the book by its id; `bet` or `seat` where it concerns one. */
export interface AskReport {
  type: 'Report';
  irregularity: string;
  bet?: string | null;
  seat?: string | null;
  note?: string;
}

/** Print a live ticket again, marked as a duplicate. It can still be redeemed only once. */
export interface AskReprintTicket {
  type: 'ReprintTicket';
  ticket: string;
  reason: string;
}

export interface AskRestore {
  type: 'Restore';
}

export interface AskRestoreTerminals {
  type: 'RestoreTerminals';
  seats: readonly string[];
}

export interface AskRetireAccount {
  type: 'RetireAccount';
  person: string;
  reason: string;
}

export interface AskRetireTerminal {
  type: 'RetireTerminal';
  table: string;
  seat: string;
  reason: string;
}

export interface AskSellCredit {
  type: 'SellCredit';
  seat: string;
  amount: number;
}

export interface AskSellTicket {
  type: 'SellTicket';
  amount: number;
}

export interface AskSenseResult {
  type: 'SenseResult';
  outcome: string;
}

/** Display other layouts from the next round on: one at a live table; elsewhere those that terminals may choose. */
export interface AskSetLayouts {
  type: 'SetLayouts';
  layouts: readonly string[];
}

export interface AskSetLimits {
  type: 'SetLimits';
  limits: AskLimits;
}

export interface AskSetRoles {
  type: 'SetRoles';
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** The person who made a request signs it with a passkey. */
export interface AskSignAsking {
  type: 'SignAsking';
  place: string;
  request: number;
  signature: AskSignature;
}

/** The signature of a person's passkey, with the data of the device and of the browser that it signs. */
export interface AskSignature {
  credential: string;
  device: string;
  client: string;
  signature: string;
}

/** Activate the tumbler, or spin the ball; `with_wheel` when it runs in the wheel's own direction. */
export interface AskStartMotion {
  type: 'StartMotion';
  with_wheel?: boolean;
}

export interface AskTakeBackColour {
  type: 'TakeBackColour';
  seat: string;
}

export interface AskTakeSeat {
  type: 'TakeSeat';
  seat: string;
  layout: string;
}

export interface AskTakeUpBook {
  type: 'TakeUpBook';
  id: string;
  book: string;
  old: string;
  not_before?: number;
  limits?: AskLimits | null;
  layouts?: readonly string[];
  alternatives?: readonly number[] | null;
}

/** Take up the planned book: its hour has come and no round is under way. */
export interface AskTakeUpPlanned {
  type: 'TakeUpPlanned';
}

export interface AskUncover {
  type: 'Uncover';
}

export interface AskUnlock {
  type: 'Unlock';
  reason: string;
}

export interface AskVoidRounds {
  type: 'VoidRounds';
  rounds: readonly number[];
  irregularity: string;
  reason: string;
}

/** Take the value from a ticket; a lost or damaged one gets a replacement. Needs two people. */
export interface AskVoidTicket {
  type: 'VoidTicket';
  ticket: string;
  reason: string;
  replace?: boolean;
}

export interface AskWithdrawBet {
  type: 'WithdrawBet';
  id: string;
  bet: string;
  amount: number;
}

/** Give up what a seat owes: needs two people. */
export interface AskWriteOffDebt {
  type: 'WriteOffDebt';
  seat: string;
  amount: number;
  reason: string;
}

export interface AskerNoted {
  type: 'AskerNoted';
  by: string;
  at: number;
  person: string;
  place: string;
  request: number;
  session: string;
}

export interface AskingSigned {
  type: 'AskingSigned';
  by: string;
  at: number;
  place: string;
  request: number;
  signature: Signature;
}

export interface AssignStaff {
  type: 'AssignStaff';
  by: string;
  at: number;
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** What the dice or the ball show after an interruption: the whole result, a part of it, or nothing. */
export interface Attest {
  type: 'Attest';
  by: string;
  at: number;
  shown: readonly string[];
}

/** What two people must attest after an interruption: what the dice or the ball show. */
export interface AttestWanted {
  of: 'ball' | 'dice';
  count: number;
  known: readonly string[];
  may_show: boolean;
  will: Effect;
  clause: string | null;
  act: Act;
}

/** The terminal's message is malformed, or out of order. */
export interface BadMessage {
  said: 'fault';
  message: string;
}

export interface BankDrained {
  type: 'BankDrained';
  by: string;
  at: number;
  amount: number;
}

export interface BankFilled {
  type: 'BankFilled';
  by: string;
  at: number;
  amount: number;
}

/** The refusal that caused an alert, as facts; in old rows as a sentence. */
export interface Because {
  reason: string;
  case?: string;
  clause?: string | null;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  message?: string;
}

export interface BeginSession {
  type: 'BeginSession';
  by: string;
  at: number;
  person: string;
  digest: string;
  where: string;
  link?: string;
  browser?: string;
}

export interface BetDecided {
  type: 'BetDecided';
  by: string;
  at: number;
  bet: string;
  seat: string;
  treatment: string;
  box: string;
  returned: number;
  reason: string;
  clause: string;
}

/** The fate of a bet: collected by the House, won or returned, and by which clause. */
export interface BetFate {
  collected: number;
  winnings: number;
  returned: number;
  clause: string;
}

export interface BetNow {
  id: string;
  seat: string;
  box: string;
  stake: number;
  by: string;
  chips: number;
}

export interface BetPlaced {
  type: 'BetPlaced';
  by: string;
  at: number;
  bet: string;
  round: number;
  seat: string;
  layout: string;
  box: string;
  stake: number;
  colour_chips: number;
}

/** Everything that happened to one bet, with the clauses, as statements and in English. */
export interface BetStory {
  bet: string;
  statements: readonly Statement[];
  sentences: readonly string[];
}

export interface BetWithdrawn {
  type: 'BetWithdrawn';
  by: string;
  at: number;
  id: string;
  bet: string;
  seat: string;
  amount: number;
}

/** One bet, or as many as a person places with one touch. Each is answered by itself. */
export interface Bets {
  do: 'bet';
  round: number;
  bets: readonly NewBet[];
}

/** `cut` is what the limits keep out of action. It goes back at once. */
export interface BettingClosed {
  type: 'BettingClosed';
  by: string;
  at: number;
  words: string;
  bell: boolean;
  cut: readonly Share[];
  clause: string;
}

/** Fixes the limits, the layouts and the hash of the book for the round. */
export interface BettingOpened {
  type: 'BettingOpened';
  by: string;
  at: number;
  round: number;
  words: string;
  limits: Limits;
  layouts: readonly string[];
  rulebook_hash: string;
  clause: string;
}

export interface Book {
  said: 'rules';
  id: string;
  rulebook: string;
  title: string;
  operator: string | null;
  version: string | null;
  hash: string;
  layout: string;
  layout_title: string;
  boxes: readonly BoxRules[];
  calls: readonly CallShown[];
  clauses: Readonly<Record<string, string>>;
  readings: readonly ReadingShown[];
}

export interface BookBrought {
  type: 'BookBrought';
  by: string;
  at: number;
  hash: string;
  text: string;
}

/** A change of the book: from `round` on the table plays under `book`, with these alternatives. */
export interface BookChange {
  round: number;
  id: string;
  book: string;
  old: string;
  correction: boolean;
  at: number;
  asked_by: string;
  approved_by: string;
  alternatives: readonly number[];
}

/** One difference. Null where a book does not have the part; `odds` and edges only for boxes. */
export interface BookDifference {
  part: 'announcement' | 'boxes' | 'calls' | 'clauses' | 'felt' | 'identity' | 'interruption' | 'irregularities' | 'layouts' | 'limits' | 'odds' | 'order of play' | 'prompts' | 'ranks' | 'readings' | 'titles';
  place: string;
  layout: string;
  box: string;
  before: string | null;
  after: string | null;
  pays_before: string | null;
  pays_after: string | null;
  edge_before: number | null;
  edge_after: number | null;
  clause: string | null;
}

/** A book: its name, its version, and the hash of its content. */
export interface BookNamed {
  id: string;
  title: string;
  version: string | null;
  hash: string;
  hour: string;
  since: number | null;
}

/** A book that the table may take up, and what would change. */
export interface BookOffered {
  book: BookNamed;
  correction: boolean;
  come: boolean;
  layouts: readonly string[];
  known: readonly string[];
  gone: Readonly<Record<string, readonly string[]>>;
  alternatives_lost: readonly number[];
  misfits: readonly Problem[];
  differences: readonly BookDifference[];
}

/** Two people agreed: the table takes the book up between two rounds, at `not_before` or later. */
export interface BookPlanned {
  type: 'BookPlanned';
  by: string;
  at: number;
  id: string;
  book: string;
  old: string;
  correction: boolean;
  not_before: number;
  asked_by: string;
  approved_by: string;
  limits: Limits | null;
  layouts: readonly string[];
  alternatives: readonly number[];
}

/** An approved text as a page shows it, in our own words. */
export interface BookSheet {
  id: string;
  title: string;
  operator: string | null;
  authority: string | null;
  version: string | null;
  effective: string | null;
  time_zone: string;
  hash: string;
  device: Device;
  numbers: readonly string[];
  colours: Readonly<Record<string, readonly string[]>>;
  kind: string;
  order: Order;
  layout_of: string;
  motion_minimum: number;
  titles: Readonly<Record<string, string>>;
  layouts: readonly SheetLayout[];
  calls: readonly SheetCall[];
  limits: SheetLimits;
  clauses: readonly SheetClause[];
  irregularities: readonly SheetIrregularity[];
  prompts: readonly SheetPrompt[];
  readings: readonly SheetReading[];
}

/** From `round` on the table plays under `book`. Rounds before it keep the book they were played under. */
export interface BookTakenUp {
  type: 'BookTakenUp';
  by: string;
  at: number;
  id: string;
  book: string;
  old: string;
  correction: boolean;
  round: number;
  asked_by: string;
  approved_by: string;
  limits: Limits;
  layouts: readonly string[];
  alternatives: readonly number[];
  gone: Readonly<Record<string, readonly string[]>>;
  moved: Readonly<Record<string, string>>;
  told: readonly string[];
}

export interface BooksOfTable {
  in_force: BookNamed;
  planned: PlannedBook | null;
  changes: readonly BookChange[];
  offered: readonly BookOffered[];
  unreadable: readonly string[];
}

/** The bets in a box and its limits; `over` is the amount above the most that can be in action. */
export interface BoxNow {
  box: string;
  total: number;
  minimum: number;
  maximum: number;
  over: number;
}

export interface BoxRules {
  name: string;
  kind: string;
  label: string;
  pays: string;
  win_clause: string;
  odds_clause: string;
}

/** Lay the text of a rulebook before the table. It changes nothing in play until two people take the book up. */
export interface BringBook {
  type: 'BringBook';
  by: string;
  at: number;
  text: string;
}

/** The cage as it is now; `now` is the floor's clock. */
export interface CageNow {
  seq: number;
  now: number;
  snapshot: CageView;
}

/** The cage as its staff see it. */
export interface CageView {
  person: string;
  roles: readonly string[];
  house: string;
  zone: string;
  ticket_days: number;
  counts: Readonly<Record<string, number>>;
  requests: readonly Approval[];
  staff: Readonly<Record<string, readonly string[]>>;
}

export interface CallNoMoreBets {
  type: 'CallNoMoreBets';
  by: string;
  at: number;
  allowed_by?: string | null;
}

/** The last call, in the book's words; with a bell where the book wants one. */
export interface CallShown {
  id: string;
  words: string;
  clause: string;
  bell: boolean;
}

/** Give up the planned change of the book: needs two people. */
export interface CancelPlan {
  type: 'CancelPlan';
  by: string;
  at: number;
  reason: string;
}

/** Turn credit into a ticket. The sender chooses its number and its last moment. */
export interface CashOut {
  type: 'CashOut';
  by: string;
  at: number;
  seat: string;
  amount: number;
  ticket: string;
  expires: number;
}

/** What the bets win or lose together, exactly in one round and after many. Amounts are cents of the Player. */
export interface Chances {
  staked: number;
  ways: number;
  cells: readonly LabCell[];
  mean: number;
  edge: string;
  edge_share: number;
  deviation: number;
  ahead: number;
  level: number;
  worst: number;
  best: number;
  rounds: number;
  method: string;
  bound: number;
  many_ahead: number;
  many_mean: number;
  many_deviation: number;
  bars: readonly LabBar[];
  curve: readonly LabPoint[];
}

/** A set of bets on a layout, with the odds of `pays` in place of the printed ones, and a number of rounds. */
export interface ChancesAsked {
  layout: string;
  bets: readonly LabBet[];
  pays?: Readonly<Record<string, string>>;
  rounds?: number;
}

/** The stake of a bet that is on the felt after a step; 0 if it is gone. */
export interface Chip {
  bet: string;
  seat: string;
  box: string;
  layout: string;
  amount: number;
}

/** Show another layout on a Player Terminal: only where the layout is the terminal's. */
export interface ChooseLayout {
  type: 'ChooseLayout';
  by: string;
  at: number;
  seat: string;
  layout: string;
}

export interface CloseTable {
  type: 'CloseTable';
  by: string;
  at: number;
}

export interface ColourGiven {
  type: 'ColourGiven';
  by: string;
  at: number;
  seat: string;
  colour: string;
  value: number;
  marker: boolean;
}

export interface ColourTakenBack {
  type: 'ColourTakenBack';
  by: string;
  at: number;
  seat: string;
}

/** A confirmed person vouches that the person who chose the password with this digest is who they say they are. */
export interface ConfirmPerson {
  type: 'ConfirmPerson';
  by: string;
  at: number;
  person: string;
  digest: string;
  session?: string;
}

export interface ConfirmResult {
  type: 'ConfirmResult';
  by: string;
  at: number;
}

/** A table as the Dealer sees it, with its device and its countdown. */
export interface Console {
  room: DisplayView;
  person: string;
  roles: readonly string[];
  next: Act | null;
  acts: readonly Act[];
  irregularities: readonly IrregularityNow[];
  keys: readonly string[];
  light: readonly string[];
  read_back: string;
  entered: string | null;
  sensed: string | null;
  boxes: readonly BoxNow[];
  differentials: readonly DifferentialNow[];
  excess: readonly Excess[];
  short: readonly ShortBet[];
  seats: readonly SeatNow[];
  seats_in_all: number;
  bets: readonly BetNow[];
  bets_in_all: number;
  checks: readonly PromptNow[];
  prompts: readonly PromptNow[];
  interruption: InterruptionNow | null;
  attest: AttestWanted | null;
  requests: readonly WaitingNow[];
  locked: string | null;
  staff: Readonly<Record<string, readonly string[]>>;
  state: TableState;
  stopped: Stopped | null;
  title: string;
  kind: 'electronic' | 'live';
  device: Device;
  order: Order;
  layouts: readonly LayoutName[];
  titles: Readonly<Record<string, string>>;
  wheel: readonly string[];
  zone: string;
  opened_at: number | null;
  closes_at: number | null;
  warning: number;
  facts: readonly FactNow[];
  device_online: boolean | null;
  motion: Picture | null;
}

/** The console as it is now; `now` is the floor's clock. */
export interface ConsoleNow {
  seq: number;
  now: number;
  snapshot: Console;
}

export interface CorrectResult {
  type: 'CorrectResult';
  by: string;
  at: number;
  round: number;
  outcome: string;
  reason: string;
}

/** How often one person, table or device was part of a disagreement, and how often the round became void. */
export interface Counted {
  name: string;
  disagreements: number;
  voids: number;
}

export interface CreditGiven {
  type: 'CreditGiven';
  by: string;
  at: number;
  seat: string;
  amount: number;
  reason: string;
}

export interface CreditPaidOut {
  type: 'CreditPaidOut';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

export interface CreditSold {
  type: 'CreditSold';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

/** The rounds of one Dealer, and how many of them were void. */
export interface DealerRounds {
  dealer: string;
  rounds: number;
  voids: number;
  rate: number;
}

export interface DebtRepaid {
  type: 'DebtRepaid';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

export interface DebtWrittenOff {
  type: 'DebtWrittenOff';
  by: string;
  at: number;
  seat: string;
  amount: number;
  reason: string;
}

/** The Shift Manager's decision where no clause applies. */
export interface Decide {
  type: 'Decide';
  by: string;
  at: number;
  treatment: 'result' | 'return' | 'void';
  reason: string;
  outcome?: string;
  bets?: readonly string[];
}

/** Treat a moved or unclear bet: let it stand, move it to a box, or return it. */
export interface DecideBet {
  type: 'DecideBet';
  by: string;
  at: number;
  bet: string;
  treatment: 'move' | 'return' | 'stand';
  reason: string;
  box?: string;
}

export interface DecideResult {
  type: 'DecideResult';
  by: string;
  at: number;
  outcome: string;
  reason: string;
}

export interface Decided {
  type: 'Decided';
  by: string;
  at: number;
  treatment: string;
  reason: string;
  clause: string;
}

export interface Decline {
  type: 'Decline';
  by: string;
  at: number;
  request: number;
}

export interface DeclineRequest {
  type: 'DeclineRequest';
  by: string;
  at: number;
  request: number;
}

/** What a device has reported of a round: that it began in its time, its count, and the result it read. */
export interface DeviceReport {
  device: string;
  began?: boolean;
  count?: number | null;
  outcome?: string | null;
}

/** Two opposed boxes, and the difference between their totals. */
export interface DifferentialNow {
  boxes: [string, string];
  totals: [number, number];
  difference: number;
  limit: number;
  clause: string;
}

/** A person's report that a device contradicted, and the decision about it. */
export interface Disagreement {
  table: string;
  round: number;
  at: number;
  person: string;
  irregularity: string;
  clause: string;
  note: string;
  device: DeviceReport;
  ending: 'goes-on' | 'void' | 'waiting';
  decided_by: string;
  decided_at: number;
}

/** The rounds that stood still over a span of time because a device contradicted a person, and their counts. */
export interface Disagreements {
  begin: number;
  end: number;
  disagreements: readonly Disagreement[];
  by_person: readonly Counted[];
  by_table: readonly Counted[];
  by_device: readonly Counted[];
}

/** The public display. Roads and counts are for information only. */
export interface Display {
  room: DisplayView;
  state: TableState;
  title: string;
  operator: string | null;
  kind: 'electronic' | 'live';
  device: Device;
  layouts: readonly LayoutName[];
  zone: string;
  closes_at: number | null;
  warning: number;
  roads: readonly ([string, string])[];
  shown: readonly RoadRound[];
  counted: number;
  frequencies: readonly Frequency[];
  motion: Picture | null;
}

/** The display as it is now; `now` is the floor's clock. */
export interface DisplayNow {
  seq: number;
  now: number;
  snapshot: Display;
}

/** What the whole room may see. No Player, no stake, no outcome before it is announced. */
export interface DisplayView {
  table: string;
  rulebook: string;
  phase: Phase;
  round: number;
  limits: Limits;
  locked: boolean;
  result: string | null;
  words: string;
  lit: Readonly<Record<string, readonly string[]>>;
  past: readonly Past[];
  still?: boolean;
  law?: string;
}

export interface DoneAtCage {
  events: readonly (TicketSold | TicketPaid | TicketVoided | TicketReprinted | TicketExpired | UnclaimedPaid | StaffEmployed | ApprovalRequested | ApprovalGiven | ApprovalDeclined)[];
  again: boolean;
}

/** The events, which are on disk. `again` if the command with this id was already done before. */
export interface DoneAtTable {
  events: readonly (TableOpened | TableClosed | StaffAssigned | SeatTaken | LayoutChosen | SeatLeft | CreditSold | CreditPaidOut | CreditGiven | TicketRedeemed | TicketIssued | DebtRepaid | DebtWrittenOff | BankFilled | BankDrained | ColourGiven | ColourTakenBack | LimitsSet | LayoutsSet | BettingOpened | BetPlaced | BetWithdrawn | ExcessRejected | ShortBetAdvised | BettingClosed | MotionStarted | MotionEnded | Uncovered | KeyPressed | ResultEntered | ResultSensed | ResultDecided | ResultAmended | ResultAnnounced | ResultChecked | LosersCollected | WinnersPaid | RoundVoided | Reported | BetDecided | Decided | ResultCorrected | SettledRoundVoided | TableLocked | TableUnlocked | Interrupted | TerminalsInterrupted | TerminalsRestored | Resumed | PowerBack | FacesAttested | ApprovalRequested | ReportContradicted | ApprovalGiven | ApprovalDeclined | BookBrought | BookPlanned | BookTakenUp | PlanCancelled)[];
  again: boolean;
}

export interface DoneInOffice {
  events: readonly (AccountMade | RolesSet | AccountRetired | PasswordNoted | LinkMade | SessionBegun | FailureNoted | SessionsEnded | RulesAdopted | FoundersNamed | PersonConfirmed | AskerNoted | PasskeysRequired | PasskeyAdded | PasskeyDropped | AskingSigned | TerminalEnrolled | TerminalRetired | AlertRaised | AlertAcknowledged)[];
  again: boolean;
}

/** Take money from the table's bank to the cage. */
export interface DrainBank {
  type: 'DrainBank';
  by: string;
  at: number;
  amount: number;
}

export interface DropPasskey {
  type: 'DropPasskey';
  by: string;
  at: number;
  person: string;
  credential: string;
}

export interface Edges {
  layout: string;
  against: string;
  rows: readonly LabRow[];
}

export interface EdgesAsked {
  layout: string;
  pays?: Readonly<Record<string, string>>;
  against?: string | null;
}

/** The effect of an act. */
export interface Effect {
  case: 'actual-outcome-stands' | 'actual-outcome-stands-and-lock' | 'advise' | 'amend-result' | 'apportion' | 'bet-decision' | 'cap' | 'decision' | 'interruption' | 'lock' | 'no-effect' | 'once-only' | 'plays' | 'refuse' | 'refuse-nothing' | 'reject-excess' | 'settle-again' | 'stand-still' | 'void' | 'void-named-rounds' | 'void-past-round' | 'void-without-bets';
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface EmployStaff {
  type: 'EmployStaff';
  by: string;
  at: number;
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** The dice or the ball have come to rest after so many tumbles or revolutions. */
export interface EndMotion {
  type: 'EndMotion';
  by: string;
  at: number;
  count: number;
}

/** End these sessions of a person, or all of them if none is named. */
export interface EndSessions {
  type: 'EndSessions';
  by: string;
  at: number;
  person: string;
  how: 'crowded' | 'everywhere' | 'expired' | 'idle' | 'logout' | 'password' | 'retired';
  digests?: readonly string[];
}

/** Bind the terminal that has the token with this digest to a seat. The seat's earlier terminal is retired. */
export interface EnrolTerminal {
  type: 'EnrolTerminal';
  by: string;
  at: number;
  digest: string;
  table: string;
  seat: string;
}

export interface EnterNumber {
  type: 'EnterNumber';
  by: string;
  at: number;
  number: string;
}

export interface Estimated {
  simulated: number;
  low: number;
  high: number;
  exact: number;
  z: number;
}

/** A box over its limit, and the bet to reject first: the latest, or a part of it. */
export interface Excess {
  box: string;
  over: number;
  bet: string;
  seat: string;
  amount: number;
  clause: string;
}

export interface ExcessRejected {
  type: 'ExcessRejected';
  by: string;
  at: number;
  bet: string;
  seat: string;
  amount: number;
  clause: string;
}

export interface ExpireTicket {
  type: 'ExpireTicket';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
}

/** What every outcome would cost or bring, the worst first. `mean` is weighted by chance. */
export interface Exposure {
  worst: number;
  best: number;
  mean: number;
  held: number;
  outcomes: readonly OutcomeExposed[];
}

export interface ExposureNow {
  table: string;
  round: number;
  exposure: Exposure;
}

export interface FacesAttested {
  type: 'FacesAttested';
  by: string;
  at: number;
  shown: readonly string[];
}

/** Something that a device reports. To confirm it, a person gives these commands. */
export interface FactNow {
  device: string;
  at: number;
  case: string;
  facts: Readonly<Record<string, string | number | readonly string[]>>;
  clause: string | null;
  commands: readonly (AskOpenTable | AskCloseTable | AskAssignStaff | AskTakeSeat | AskChooseLayout | AskLeaveSeat | AskSellCredit | AskPayOut | AskGiveCredit | AskRedeemTicket | AskCashOut | AskRepayDebt | AskWriteOffDebt | AskFillBank | AskDrainBank | AskGiveColour | AskTakeBackColour | AskSetLimits | AskSetLayouts | AskOpenBetting | AskPlaceBet | AskWithdrawBet | AskRejectExcess | AskAdviseShort | AskCallNoMoreBets | AskStartMotion | AskEndMotion | AskUncover | AskPressKey | AskPressEntry | AskEnterNumber | AskSenseResult | AskDecideResult | AskAmendResult | AskConfirmResult | AskPayWinners | AskReport | AskDecideBet | AskDecide | AskCorrectResult | AskVoidRounds | AskUnlock | AskInterrupt | AskInterruptTerminals | AskRestore | AskRestoreTerminals | AskAttest | AskApprove | AskDecline | AskTakeUpBook | AskTakeUpPlanned | AskCancelPlan)[];
  may: boolean;
}

export interface FailureNoted {
  type: 'FailureNoted';
  by: string;
  at: number;
  person: string;
  why: 'locked' | 'no-password' | 'retired' | 'unknown' | 'wrong';
  where: string;
  times: number;
  browser?: string;
}

/** A layout as a page draws it, with everything that a bet needs. */
export interface FeltSheet {
  book: string;
  layout: string;
  title: string;
  clause: string;
  appendix: string;
  note: string | null;
  columns: number;
  rows: number;
  areas: readonly SheetArea[];
  spots: readonly SheetSpot[];
  boxes: readonly SheetBox[];
  roads: readonly SheetRoad[];
}

/** Bring money from the cage to the table's bank. */
export interface FillBank {
  type: 'FillBank';
  by: string;
  at: number;
  amount: number;
}

export interface FoundersNamed {
  type: 'FoundersNamed';
  by: string;
  at: number;
  people: readonly string[];
  digests: readonly string[];
}

/** How often a number was shown, and how often chance alone would show it. */
export interface Frequency {
  number: string;
  count: number;
  expected: number;
}

/** Issue colour chips: the colour belongs to one Player, its value is set now. */
export interface GiveColour {
  type: 'GiveColour';
  by: string;
  at: number;
  seat: string;
  colour: string;
  value: number;
}

/** Credit without money: needs two people. */
export interface GiveCredit {
  type: 'GiveCredit';
  by: string;
  at: number;
  seat: string;
  amount: number;
  reason: string;
}

export interface GivenAtCage {
  id: string;
  command: AskSellTicket | AskPayTicket | AskVoidTicket | AskReprintTicket | AskPayUnclaimed | AskEmployStaff | AskApproveRequest | AskDeclineRequest;
}

export interface GivenAtTable {
  id: string;
  command: AskOpenTable | AskCloseTable | AskAssignStaff | AskTakeSeat | AskChooseLayout | AskLeaveSeat | AskSellCredit | AskPayOut | AskGiveCredit | AskRedeemTicket | AskCashOut | AskRepayDebt | AskWriteOffDebt | AskFillBank | AskDrainBank | AskGiveColour | AskTakeBackColour | AskSetLimits | AskSetLayouts | AskOpenBetting | AskPlaceBet | AskWithdrawBet | AskRejectExcess | AskAdviseShort | AskCallNoMoreBets | AskStartMotion | AskEndMotion | AskUncover | AskPressKey | AskPressEntry | AskEnterNumber | AskSenseResult | AskDecideResult | AskAmendResult | AskConfirmResult | AskPayWinners | AskReport | AskDecideBet | AskDecide | AskCorrectResult | AskVoidRounds | AskUnlock | AskInterrupt | AskInterruptTerminals | AskRestore | AskRestoreTerminals | AskAttest | AskApprove | AskDecline | AskTakeUpBook | AskTakeUpPlanned | AskCancelPlan;
}

export interface GivenInOffice {
  id: string;
  command: AskMakeAccount | AskSetRoles | AskRetireAccount | AskConfirmPerson | AskRetireTerminal | AskAcknowledgeAlert | AskAddPasskey | AskDropPasskey | AskSignAsking;
}

/** Whether these dice or this wheel are fair. All counts are over the past rounds in memory. */
export interface Health {
  table: string;
  rounds: number;
  level: number;
  tests: readonly Tested[];
  alarm: boolean;
  numbers: readonly Frequency[];
  totals: readonly TotalCount[];
  trail: readonly number[];
}

/** The first message. `seen` is the `seq` of the last room or news that this terminal has, 0 for none. */
export interface Hello {
  do: 'hello';
  version: number;
  token: string;
  seen?: number;
}

export interface History {
  rounds: readonly RoundInList[];
  found: number;
}

export interface Interrupt {
  type: 'Interrupt';
  by: string;
  at: number;
  part: 'console' | 'device' | 'server';
}

export interface InterruptTerminals {
  type: 'InterruptTerminals';
  by: string;
  at: number;
  seats: readonly string[];
  lost?: readonly LostBet[];
}

export interface Interrupted {
  type: 'Interrupted';
  by: string;
  at: number;
  part: 'console' | 'device' | 'server';
  clause: string;
}

export interface InterruptionNow {
  was: string;
  at: number;
  power_back: boolean;
  shown: readonly string[];
  clause: string | null;
}

/** An irregularity that is possible in this phase: its clause, and what follows from a report of it. */
export interface IrregularityNow {
  id: string;
  clause: string;
  trigger: string;
  consequence: string;
  will: Effect;
  act: string;
  may: boolean;
  two: boolean;
  needs: readonly Need[];
}

export interface JournalPage {
  stream: string;
  streams: readonly string[];
  head: number;
  rows: readonly JournalRow[];
}

/** One row: who asked for what, when, and the outcome. */
export interface JournalRow {
  seq: number;
  at: number;
  kind: string;
  by: string;
  told: Statement | null;
  refused: StepRefused | null;
  body: unknown;
  money: readonly MovedMoney[];
  hash: string;
}

export interface KeyPressed {
  type: 'KeyPressed';
  by: string;
  at: number;
  face: string;
}

/** The share of results from `low` to `high`, both included. */
export interface LabBar {
  low: number;
  high: number;
  share: number;
}

export interface LabBet {
  box: string;
  stake: number;
}

/** A result of one round. */
export interface LabCell {
  amount: number;
  ways: number;
  share: number;
}

export interface LabLayout {
  id: string;
  book: string;
  layout: string;
  game: string;
  title: string;
}

export interface LabLayouts {
  layouts: readonly LabLayout[];
}

export interface LabPoint {
  rounds: number;
  ahead: number;
}

export interface LabPrice {
  pays: string;
  edge: string;
  edge_share: number;
  deviation: number;
  hits: number;
  ways: number;
  prices: readonly SheetPrice[];
}

/** A box on both layouts; null for a layout without it. */
export interface LabRow {
  box: string;
  here: LabPrice | null;
  there: LabPrice | null;
  same: boolean;
}

/** Sentences of the books in another language, by the English ones. Only the English ones are law. */
export interface LawWords {
  words: Readonly<Record<string, string>>;
}

export interface LayoutChosen {
  type: 'LayoutChosen';
  by: string;
  at: number;
  seat: string;
  layout: string;
}

export interface LayoutName {
  id: string;
  title: string;
}

export interface LayoutsSet {
  type: 'LayoutsSet';
  by: string;
  at: number;
  layouts: readonly string[];
}

export interface LeaveSeat {
  type: 'LeaveSeat';
  by: string;
  at: number;
  seat: string;
}

/** The House's limits: amounts by box name, by kind of box (`total`), or for all boxes (`*`). */
export interface Limits {
  minimum: Readonly<Record<string, number>>;
  maximum: Readonly<Record<string, number>>;
  unit: number;
  differential?: number | null;
}

export interface LimitsSet {
  type: 'LimitsSet';
  by: string;
  at: number;
  limits: Limits;
}

export interface LinkMade {
  type: 'LinkMade';
  by: string;
  at: number;
  person: string;
  digest: string;
  until: number;
  maker?: string;
  vouched?: boolean;
}

/** The floor at a glance. */
export interface Lobby {
  house: string;
  version: string;
  demo: boolean;
  zone: string;
  now: number;
  terminals: string;
  tables: readonly LobbyTable[];
  public?: string;
  staff?: string;
}

/** A table in the lobby. */
export interface LobbyTable {
  name: string;
  rulebook: string;
  title: string;
  operator: string | null;
  version: string | null;
  kind: 'electronic' | 'live';
  device: Device;
  layouts: readonly LayoutName[];
  layout_of: 'table' | 'terminal';
  limits: Limits;
  state: TableState;
  phase: Phase;
  round: number;
  closes_at: number | null;
  seats: number;
  taken: number;
  last: readonly Past[];
}

export interface LosersCollected {
  type: 'LosersCollected';
  by: string;
  at: number;
  round: number;
  outcome: string;
  words: string;
  lit: Readonly<Record<string, readonly string[]>>;
  fates: readonly Paid[];
  clause: string;
}

/** A bet a terminal tried to place in an interruption and that was never registered. */
export interface LostBet {
  seat: string;
  box: string;
  stake: number;
}

export interface MakeAccount {
  type: 'MakeAccount';
  by: string;
  at: number;
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** Let the holder of the link with this digest sign in as a person, once. */
export interface MakeLink {
  type: 'MakeLink';
  by: string;
  at: number;
  person: string;
  digest: string;
  until: number;
  session?: string;
}

/** Who has signed in, and their roles; `person` is null if nobody has. */
export interface Me {
  person: string | null;
  roles: readonly string[];
  tables: Readonly<Record<string, readonly string[]>>;
  cage: readonly string[];
  screens: readonly string[];
  standing?: 'confirmed' | 'lent' | 'nobody' | 'unconfirmed';
  code?: string;
  passkeys?: readonly string[];
  signs?: boolean;
  has_password?: boolean;
}

export interface MotionEnded {
  type: 'MotionEnded';
  by: string;
  at: number;
  count: number;
}

/** For pictures only: dice tumble, faces land, a ball runs. It decides nothing and may be lost. */
export interface MotionShown {
  said: 'motion';
  round: number;
  stage: Stage;
  number: number;
  of: number;
  faces: readonly string[];
  rate: number;
}

export interface MotionStarted {
  type: 'MotionStarted';
  by: string;
  at: number;
}

/** Instead of a welcome, or later: another machine works this table, and its door is at this address. */
export interface Moved {
  said: 'moved';
  address: string;
}

export interface MovedMoney {
  source: string;
  target: string;
  amount: number;
  reason: string;
  about: string;
}

export interface NameFounders {
  type: 'NameFounders';
  by: string;
  at: number;
  people: readonly string[];
  digests: readonly string[];
}

/** A field of an act that a person fills in. */
export interface Need {
  field: string;
  kind: 'bet' | 'bets' | 'box' | 'checks' | 'colour' | 'count' | 'faces' | 'flag' | 'irregularity' | 'layout' | 'layouts' | 'limits' | 'lost' | 'money' | 'name' | 'outcome' | 'part' | 'person' | 'reason' | 'roles' | 'round' | 'rounds' | 'seat' | 'seats' | 'ticket' | 'treatment';
  must: boolean;
  value?: number | string | null;
}

/** The terminal makes `id` and keeps it before it sends the bet: it may send the same bet until it is answered. */
export interface NewBet {
  id: string;
  box: string;
  stake: number;
}

export interface NewPassword {
  new: string;
  old?: string;
}

/** The fields of the room that changed. Of `past`, only the rounds that are new or different. */
export interface News {
  said: 'news';
  seq: number;
  closes_in: number | null;
  changed: Readonly<Record<string, unknown>>;
}

/** The act was refused, and nothing changed. */
export interface No {
  said: 'no';
  id: string;
  reason: string;
  message: string;
  clause: string | null;
  case: string;
  facts: Readonly<Record<string, string | number | readonly string[]>>;
}

/** The session in which a request for a second person was made; `place` is a table or the cage. */
export interface NoteAsker {
  type: 'NoteAsker';
  by: string;
  at: number;
  person: string;
  place: string;
  request: number;
  session: string;
}

export interface NoteFailure {
  type: 'NoteFailure';
  by: string;
  at: number;
  person: string;
  why: 'locked' | 'no-password' | 'retired' | 'unknown' | 'wrong';
  where: string;
  times: number;
  browser?: string;
}

export interface NotePassword {
  type: 'NotePassword';
  by: string;
  at: number;
  person: string;
  digest: string;
  session?: string;
}

export interface Notice {
  at: number;
  kind: string;
  message: string;
  round?: number | null;
  bet?: string | null;
  amount?: number | null;
  clause?: string | null;
  case?: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface OfficeNow {
  accounts: readonly AccountKept[];
  terminals: readonly TerminalKept[];
  seats: Readonly<Record<string, readonly string[]>>;
  unconfirmed: readonly Unconfirmed[];
}

/** The act is on disk. */
export interface Ok {
  said: 'ok';
  id: string;
  credit: number;
  held: number;
  ticket?: string;
  bet?: string;
}

export interface OneTimeLink {
  path: string;
}

export interface OpenBetting {
  type: 'OpenBetting';
  by: string;
  at: number;
}

/** Open for gaming; `unchecked` names opening checks that were not made. */
export interface OpenTable {
  type: 'OpenTable';
  by: string;
  at: number;
  unchecked?: readonly string[];
}

/** What the House would gain on an outcome if bets closed now, and in how many ways that outcome can occur. */
export interface OutcomeExposed {
  outcome: string;
  gain: number;
  ways: number;
}

/** Everything of this terminal, whole: exactly the bets that are registered. */
export interface Own {
  said: 'own';
  seq: number;
  seated: boolean;
  layout: string;
  credit: number;
  held: number;
  owes: number;
  connected: boolean;
  bets: readonly OwnBet[];
  last: OwnRound | null;
  notices: readonly Notice[];
  round: number;
}

export interface OwnBet {
  id: string;
  box: string;
  stake: number;
  layout: string;
  fate?: BetFate | null;
  sums?: readonly Statement[];
}

/** A round of one Player. `before` and `after` are their credit when bets opened and when everything was paid. */
export interface OwnRound {
  round: number;
  outcome: string | null;
  void: string | null;
  bets: readonly OwnBet[];
  words?: string;
  before?: number | null;
  after?: number | null;
}

/** What one bet got: the stake collected, the winnings, and the stake returned (some of it never in action). */
export interface Paid {
  bet: string;
  seat: string;
  collected: number;
  winnings: number;
  returned: number;
  clause: string;
}

export interface PasskeyAdded {
  type: 'PasskeyAdded';
  by: string;
  at: number;
  person: string;
  credential: string;
  key: string;
  host: string;
}

export interface PasskeyDropped {
  type: 'PasskeyDropped';
  by: string;
  at: number;
  person: string;
  credential: string;
}

export interface PasskeysRequired {
  type: 'PasskeysRequired';
  by: string;
  at: number;
}

export interface PasswordFor {
  person: string;
  password: string;
}

/** `maker` chose it: the person, another, or `machine/NAME`. Rows from before the rules do not have it. */
export interface PasswordNoted {
  type: 'PasswordNoted';
  by: string;
  at: number;
  person: string;
  digest: string;
  maker?: string;
  vouched_by?: readonly string[];
  confirmed?: boolean;
}

/** A past round as everyone may see it. */
export interface Past {
  round: number;
  outcome: string | null;
  void_clause: string | null;
}

/** A round that is over: its result, or the clause that made it void. */
export interface PastShown {
  round: number;
  outcome: string | null;
  void: string | null;
}

export interface PayOut {
  type: 'PayOut';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

export interface PayTicket {
  type: 'PayTicket';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
}

/** Pay an expired ticket. Needs two people. */
export interface PayUnclaimed {
  type: 'PayUnclaimed';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
  reason: string;
}

export interface PayWinners {
  type: 'PayWinners';
  by: string;
  at: number;
}

export interface PersonConfirmed {
  type: 'PersonConfirmed';
  by: string;
  at: number;
  person: string;
  digest: string;
}

/** One moment of a motion: the third tumble of three, two faces of three, the fifth revolution at a speed. */
export interface Picture {
  round: number;
  stage: Stage;
  number: number;
  of: number;
  faces: readonly string[];
  rate: number;
}

/** A test that the line is alive. A page cannot see the pings of WebSocket itself. */
export interface Ping {
  do: 'ping';
}

export interface Pit {
  zone: string;
  tables: readonly PitTable[];
  approvals: readonly Approval[];
  alerts: readonly Alert[];
  unconfirmed: readonly Unconfirmed[];
}

/** The pit as it is now; `now` is the floor's clock. */
export interface PitNow {
  seq: number;
  now: number;
  snapshot: Pit;
}

export interface PitTable {
  name: string;
  title: string;
  device: Device;
  state: TableState;
  stopped: Stopped | null;
  phase: Phase;
  round: number;
  closes_at: number | null;
  dealing: string;
  staff: Readonly<Record<string, readonly string[]>>;
  limits: Limits;
  seats: number;
  taken: number;
  connected: number;
  rounds_an_hour: number | null;
  takings: Takings | null;
  dealt: readonly DealerRounds[];
  exposure: Exposure;
  alerts: number;
  waiting: number;
}

/** A bet, or a raise of one. `colour_chips` counts the Player's colour chips when the stake is made of them. */
export interface PlaceBet {
  type: 'PlaceBet';
  by: string;
  at: number;
  id: string;
  round: number;
  seat: string;
  box: string;
  stake: number;
  colour_chips?: number;
}

export interface PlanCancelled {
  type: 'PlanCancelled';
  by: string;
  at: number;
  id: string;
  book: string;
  reason: string;
}

export interface PlannedBook {
  id: string;
  book: string;
  correction: boolean;
  not_before: number;
  asked_by: string;
  approved_by: string;
  limits: Limits | null;
  layouts: readonly string[];
  alternatives: readonly number[];
}

export interface Pong {
  said: 'pong';
  now: number;
}

/** The power is back but the round stays interrupted until the facts are attested. */
export interface PowerBack {
  type: 'PowerBack';
  by: string;
  at: number;
}

export interface PressEntry {
  type: 'PressEntry';
  by: string;
  at: number;
}

export interface PressKey {
  type: 'PressKey';
  by: string;
  at: number;
  face: string;
}

/** What one bet would get; `before` is what it got already, if it was settled before. */
export interface PreviewedBet {
  seat: string;
  box: string;
  stake: number;
  collected: number;
  winnings: number;
  returned: number;
  before: number | null;
  clause: string;
}

export interface Problem {
  reason: string;
  message: string;
  clause?: string | null;
  faults?: readonly string[];
  case?: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  stopped?: readonly StandsStill[];
}

/** What a person must do for a clause that no software can keep. */
export interface PromptNow {
  id: string;
  says: string;
  by: string;
  clause: string;
}

/** A push: first a whole snapshot, then the fields that changed, or only the time. `now` is the floor's clock. */
export interface Push {
  seq: number;
  now: number;
  snapshot?: unknown | null;
  changed?: Readonly<Record<string, unknown>> | null;
}

export interface RaiseAlert {
  type: 'RaiseAlert';
  by: string;
  at: number;
  kind: string;
  table: string;
  what?: string;
  case?: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  because?: Because | null;
}

/** Whether all is well, and if not, what takes no commands: as facts, and in English. */
export interface Readiness {
  well: boolean;
  faults?: readonly string[];
  stopped?: readonly StandsStill[];
}

export interface ReadingShown {
  clause: string;
  says: string;
  read: string;
  why: string;
}

/** Ask for the Player's rounds: the last ten, or one by its number, however old. */
export interface Recall {
  do: 'recall';
  id: string;
  round?: number | null;
}

/** Ask for a registered bet of this seat, signed by the floor. An old bet needs its `round`. */
export interface Receipt {
  do: 'receipt';
  id: string;
  bet: string;
  round?: number | null;
}

/** Turn a ticket into credit. The sender has looked up the amount and the state of the ticket. */
export interface RedeemTicket {
  type: 'RedeemTicket';
  by: string;
  at: number;
  seat: string;
  ticket: string;
  amount: number;
  expires: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
}

export interface RejectExcess {
  type: 'RejectExcess';
  by: string;
  at: number;
  bet: string;
  amount: number;
}

/** Take cash for a debt that a correction left. */
export interface RepayDebt {
  type: 'RepayDebt';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

/** A bet and its fate, explained with its clause. */
export interface ReplayedBet {
  bet: string;
  seat: string;
  box: string;
  layout: string;
  stake: number;
  by: string;
  collected: number;
  winnings: number;
  returned: number;
  fate: Statement;
  clause: string;
  why: Statement;
  sums: readonly Statement[];
}

/** A whole round, after every correction. */
export interface ReplayedRound {
  table: string;
  round: number;
  title: string;
  device: Device;
  rulebook: string;
  rulebook_hash: string;
  layouts: readonly string[];
  limits: Limits;
  opened: number;
  ended: number;
  outcome: string | null;
  words: string;
  void_clause: string | null;
  lit: Readonly<Record<string, readonly string[]>>;
  bets: readonly ReplayedBet[];
  steps: readonly Step[];
  corrections: readonly Step[];
  transcript: string;
  rows: [number, number];
  hash: string;
}

/** Report an irregularity of the book by its id; `bet` or `seat` where it concerns one. */
export interface Report {
  type: 'Report';
  by: string;
  at: number;
  irregularity: string;
  bet?: string | null;
  seat?: string | null;
  note?: string;
}

/** A person reports what a device contradicts: the round stands still until another decides the request. */
export interface ReportContradicted {
  type: 'ReportContradicted';
  by: string;
  at: number;
  request: number;
  command: string;
  digest: string;
  round: number;
  irregularity: string;
  clause: string;
  device: DeviceReport;
}

export interface Reported {
  type: 'Reported';
  by: string;
  at: number;
  irregularity: string;
  consequence: string;
  clause: string;
  bet: string | null;
  seat: string | null;
  note: string;
}

/** Print a live ticket again, marked as a duplicate. It can still be redeemed only once. */
export interface ReprintTicket {
  type: 'ReprintTicket';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
  reason: string;
}

export interface RequirePasskeys {
  type: 'RequirePasskeys';
  by: string;
  at: number;
}

export interface Restore {
  type: 'Restore';
  by: string;
  at: number;
}

export interface RestoreTerminals {
  type: 'RestoreTerminals';
  by: string;
  at: number;
  seats: readonly string[];
}

export interface ResultAmended {
  type: 'ResultAmended';
  by: string;
  at: number;
  old: string;
  outcome: string;
  clause: string;
}

/** The result is announced and its areas are lit, in one instant. What was lit before goes dark. */
export interface ResultAnnounced {
  type: 'ResultAnnounced';
  by: string;
  at: number;
  round: number;
  outcome: string;
  words: string;
  lit: Readonly<Record<string, readonly string[]>>;
  clause: string;
  lit_clause?: string;
  dolly_clause?: string;
}

/** The Dealer has compared the lit felt with the dice or the wheel. */
export interface ResultChecked {
  type: 'ResultChecked';
  by: string;
  at: number;
  round: number;
  outcome: string;
  clause: string;
}

export interface ResultCorrected {
  type: 'ResultCorrected';
  by: string;
  at: number;
  round: number;
  outcome: string;
  reversals: readonly Reversal[];
  reason: string;
  clause: string;
  told: readonly string[];
}

export interface ResultDecided {
  type: 'ResultDecided';
  by: string;
  at: number;
  outcome: string;
  reason: string;
}

export interface ResultEntered {
  type: 'ResultEntered';
  by: string;
  at: number;
  outcome: string;
  source: 'attested' | 'decided' | 'entry';
}

export interface ResultSensed {
  type: 'ResultSensed';
  by: string;
  at: number;
  outcome: string;
}

export interface Resumed {
  type: 'Resumed';
  by: string;
  at: number;
  act: string;
  clause: string | null;
}

export interface RetireAccount {
  type: 'RetireAccount';
  by: string;
  at: number;
  person: string;
  reason: string;
}

export interface RetireTerminal {
  type: 'RetireTerminal';
  by: string;
  at: number;
  table: string;
  seat: string;
  reason: string;
}

/** One bet settled again: what it got before and gets now, and how much more its seat owes (below zero, less). */
export interface Reversal {
  bet: string;
  seat: string;
  old: Paid;
  new: Paid;
  owed: number;
}

/** A round on the roads: the numbers shown, their total, and for each road the box that won. */
export interface RoadRound {
  round: number;
  outcome: string | null;
  void_clause: string | null;
  numbers: readonly string[];
  total: number | null;
  won: readonly (string | null)[];
}

export interface RolesSet {
  type: 'RolesSet';
  by: string;
  at: number;
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** The whole room, as it is now. */
export interface Room {
  said: 'room';
  seq: number;
  closes_in: number | null;
  room: RoomView;
}

/** The part of a table that every terminal may see: no Player, no stake, no result before it is announced. */
export interface RoomView {
  phase: Phase;
  round: number;
  open: boolean;
  locked: boolean;
  stopped: boolean;
  away: boolean;
  call: CallShown | null;
  count: number | null;
  layouts: readonly string[];
  limits: Limits;
  result: string | null;
  words: string;
  lit: Readonly<Record<string, readonly string[]>>;
  past: readonly PastShown[];
  betting: boolean;
  still: boolean;
  law: string;
}

export interface RoundInList {
  table: string;
  round: number;
  at: number;
  outcome: string | null;
  void_clause: string | null;
  bets: number;
  seats: number;
  staked: number;
  paid: number;
  corrected: boolean;
}

export interface RoundVoided {
  type: 'RoundVoided';
  by: string;
  at: number;
  round: number;
  irregularity: string;
  clause: string;
  words: string;
  returned: readonly Share[];
  told: readonly string[];
}

export interface Rounds {
  said: 'rounds';
  id: string;
  rounds: readonly OwnRound[];
}

/** Ask for the game, the layout of this terminal with every box and its odds, and how the book is read. */
export interface Rules {
  do: 'rules';
  id: string;
}

export interface RulesAdopted {
  type: 'RulesAdopted';
  by: string;
  at: number;
  rules: number;
}

/** One seat with all of its bets. */
export interface SeatAlone {
  seat: SeatNow;
  bets: readonly BetNow[];
}

/** A seat, and the token with which a terminal takes it. */
export interface SeatGiven {
  table: string;
  seat: string;
  layout: string;
  token: string;
}

export interface SeatLeft {
  type: 'SeatLeft';
  by: string;
  at: number;
  seat: string;
}

export interface SeatNow {
  seat: string;
  layout: string;
  credit: number;
  held: number;
  owes: number;
  colour: string | null;
  chip: number | null;
  marker: boolean;
  connected: boolean;
  gone: boolean;
}

export interface SeatTaken {
  type: 'SeatTaken';
  by: string;
  at: number;
  seat: string;
  layout: string;
}

export interface SeatToEnrol {
  table: string;
  seat: string;
}

export interface SeatWanted {
  table: string;
  layout?: string;
}

export interface SellCredit {
  type: 'SellCredit';
  by: string;
  at: number;
  seat: string;
  amount: number;
}

export interface SellTicket {
  type: 'SellTicket';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
}

export interface SenseResult {
  type: 'SenseResult';
  by: string;
  at: number;
  outcome: string;
}

export interface SessionBegun {
  type: 'SessionBegun';
  by: string;
  at: number;
  person: string;
  digest: string;
  where: string;
  link: string;
  browser?: string;
}

export interface SessionsEnded {
  type: 'SessionsEnded';
  by: string;
  at: number;
  person: string;
  how: 'crowded' | 'everywhere' | 'expired' | 'idle' | 'logout' | 'password' | 'retired';
  digests: readonly string[];
}

/** Display other layouts from the next round on: one at a live table; elsewhere those that terminals may choose. */
export interface SetLayouts {
  type: 'SetLayouts';
  by: string;
  at: number;
  layouts: readonly string[];
}

export interface SetLimits {
  type: 'SetLimits';
  by: string;
  at: number;
  limits: Limits;
}

export interface SetRoles {
  type: 'SetRoles';
  by: string;
  at: number;
  person: string;
  roles: readonly ('administrator' | 'auditor' | 'cashier' | 'dealer' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

export interface SettledRoundVoided {
  type: 'SettledRoundVoided';
  by: string;
  at: number;
  round: number;
  irregularity: string;
  reversals: readonly Reversal[];
  reason: string;
  clause: string;
  told: readonly string[];
}

/** An amount of one bet that goes somewhere, and by which clause; none in rows from before it was kept. */
export interface Share {
  bet: string;
  seat: string;
  amount: number;
  clause?: string;
}

/** A rectangle of the grid and what is printed in it. A mark is the face of a die or the colour of a diamond. */
export interface SheetArea {
  row: number;
  column: number;
  width: number;
  height: number;
  box: string | null;
  marks: readonly string[];
  label: string;
  odds: string;
  fill: string | null;
}

export interface SheetBox {
  name: string;
  kind: string;
  numbers: readonly string[];
  pays: string;
  prints: string;
  win_clause: string;
  odds_clause: string;
  rule: Statement;
  unit: number;
  prices: readonly SheetPrice[];
}

export interface SheetCall {
  id: string;
  words: string;
  by_the_book: boolean;
  announced: boolean;
  bell: boolean;
  clause: string;
}

export interface SheetClause {
  id: string;
  kept: string;
  says: string;
}

export interface SheetIrregularity {
  id: string;
  clause: string;
  trigger: string;
  phases: readonly string[];
  consequence: string;
  authority: readonly string[];
  people: number;
}

export interface SheetLayout {
  id: string;
  title: string;
  appendix: string;
  clause: string;
  boxes: number;
}

/** The limits of a book and the consequence of a breach. A pair is two boxes whose difference is limited. */
export interface SheetLimits {
  displayed_clause: string;
  minimum: string;
  minimum_clause: string;
  maximum_per: string;
  maximum: string;
  maximum_clause: string;
  pairs: readonly ([string, string])[];
  pairs_clause: string | null;
}

/** Odds as the books print them: "8.5" to 1. */
export interface SheetPrice {
  odds: string;
  to: number;
}

export interface SheetPrompt {
  id: string;
  when: string;
  by: string;
  says: string;
  clause: string;
}

export interface SheetReading {
  ruling: number | null;
  clause: string;
  says: string;
  read: string;
  why: string;
  alternative: string;
}

/** Two boxes that never win together, for a road of results: the box that wins on each outcome, if one does. */
export interface SheetRoad {
  boxes: [string, string];
  won: Readonly<Record<string, string>>;
}

/** A point on the lines where a chip makes a bet, in columns from the left and rows from the top. */
export interface SheetSpot {
  box: string;
  x: number;
  y: number;
}

/** The figures of a shift: for each table of this person, and in all. */
export interface Shift {
  begin: number;
  end: number;
  tables: readonly ShiftTable[];
  drop: number;
  win: number;
  hold: number | null;
}

export interface ShiftTable {
  table: string;
  takings: Takings;
  rounds: number;
  voids: number;
  dealt: readonly DealerRounds[];
}

/** A Player's bets in a box that are under its minimum. The Dealer advises the Player. */
export interface ShortBet {
  bet: string;
  seat: string;
  box: string;
  stake: number;
  minimum: number;
  clause: string;
}

export interface ShortBetAdvised {
  type: 'ShortBetAdvised';
  by: string;
  at: number;
  bet: string;
  seat: string;
  minimum: number;
  clause: string;
}

/** Show another layout, where the book lets the terminal choose and while this seat has no bet on the table. */
export interface ShowLayout {
  do: 'layout';
  id: string;
  layout: string;
}

/** The person who made a request signs it with a passkey. */
export interface SignAsking {
  type: 'SignAsking';
  by: string;
  at: number;
  place: string;
  request: number;
  signature: Signature;
  session?: string;
}

export interface SignIn {
  person: string;
  password: string;
}

/** The signature of a person's passkey, with the data of the device and of the browser that it signs. */
export interface Signature {
  credential: string;
  device: string;
  client: string;
  signature: string;
}

export interface Signed {
  said: 'receipt';
  id: string;
  receipt: string;
}

export interface Simulated {
  rounds: number;
  seed: number;
  edge: Estimated;
  ahead: Estimated;
  deviation: number;
  exact_deviation: number;
  total: number;
  chi_square_p: number;
}

/** The last simulation that anybody began on this machine. */
export interface Simulation {
  state: 'done' | 'failed' | 'never' | 'running' | 'stopped';
  by?: string;
  layout?: string;
  done?: number;
  rounds?: number;
  result?: Simulated | null;
  why?: string;
}

export interface SimulationAsked {
  layout: string;
  bets: readonly LabBet[];
  pays?: Readonly<Record<string, string>>;
  rounds?: number;
  seed?: number;
}

export interface StaffAssigned {
  type: 'StaffAssigned';
  by: string;
  at: number;
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

export interface StaffEmployed {
  type: 'StaffEmployed';
  by: string;
  at: number;
  person: string;
  roles: readonly ('auditor' | 'cashier' | 'dealer' | 'device' | 'pit-manager' | 'pit-supervisor' | 'shift-manager')[];
}

/** What takes no commands, and why: a table by its name, the `cage`, the `office`, or the `database`. */
export interface StandsStill {
  place: string;
  why: Stopped;
}

/** Activate the tumbler, or spin the ball; `with_wheel` when it runs in the wheel's own direction. */
export interface StartMotion {
  type: 'StartMotion';
  by: string;
  at: number;
  with_wheel?: boolean;
}

/** One statement. `parts` are the statements inside it, as lists. */
export interface Statement {
  id: string;
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
  parts?: Readonly<Record<string, readonly Statement[]>>;
  clause?: string | null;
}

/** One act of a round, and the felt after it. */
export interface Step {
  row: number;
  at: number;
  by: string;
  act: string;
  told: Statement;
  statements: readonly Statement[];
  refused: StepRefused | null;
  phase: Phase;
  chips: readonly Chip[];
  says: string;
  shown: readonly string[];
  lit: Readonly<Record<string, readonly string[]>>;
  events: readonly (TableOpened | TableClosed | StaffAssigned | SeatTaken | LayoutChosen | SeatLeft | CreditSold | CreditPaidOut | CreditGiven | TicketRedeemed | TicketIssued | DebtRepaid | DebtWrittenOff | BankFilled | BankDrained | ColourGiven | ColourTakenBack | LimitsSet | LayoutsSet | BettingOpened | BetPlaced | BetWithdrawn | ExcessRejected | ShortBetAdvised | BettingClosed | MotionStarted | MotionEnded | Uncovered | KeyPressed | ResultEntered | ResultSensed | ResultDecided | ResultAmended | ResultAnnounced | ResultChecked | LosersCollected | WinnersPaid | RoundVoided | Reported | BetDecided | Decided | ResultCorrected | SettledRoundVoided | TableLocked | TableUnlocked | Interrupted | TerminalsInterrupted | TerminalsRestored | Resumed | PowerBack | FacesAttested | ApprovalRequested | ReportContradicted | ApprovalGiven | ApprovalDeclined | BookBrought | BookPlanned | BookTakenUp | PlanCancelled)[];
}

export interface StepRefused {
  reason: string;
  message: string;
  clause: string | null;
  case: string;
  facts: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface Stopped {
  case: 'away' | 'elsewhere' | 'fault' | 'full' | 'replaced' | 'shortened' | 'unsafe';
  facts?: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface TableClosed {
  type: 'TableClosed';
  by: string;
  at: number;
}

export interface TableLocked {
  type: 'TableLocked';
  by: string;
  at: number;
  clause: string;
}

export interface TableOpened {
  type: 'TableOpened';
  by: string;
  at: number;
  checks: readonly string[];
}

export interface TableUnlocked {
  type: 'TableUnlocked';
  by: string;
  at: number;
  reason: string;
}

export interface TakeBackColour {
  type: 'TakeBackColour';
  by: string;
  at: number;
  seat: string;
}

export interface TakeSeat {
  type: 'TakeSeat';
  by: string;
  at: number;
  seat: string;
  layout: string;
}

export interface TakeUpBook {
  type: 'TakeUpBook';
  by: string;
  at: number;
  id: string;
  book: string;
  old: string;
  not_before?: number;
  limits?: Limits | null;
  layouts?: readonly string[];
  alternatives?: readonly number[] | null;
}

/** Take up the planned book: its hour has come and no round is under way. */
export interface TakeUpPlanned {
  type: 'TakeUpPlanned';
  by: string;
  at: number;
}

/** The House's figures of a table. */
export interface Takings {
  begin: number;
  drop: number;
  win: number;
  hold: number | null;
  fills: number;
  drains: number;
  bank: number;
  handed_out: number;
  given: number;
  written_off: number;
}

export interface TerminalEnrolled {
  type: 'TerminalEnrolled';
  by: string;
  at: number;
  digest: string;
  table: string;
  seat: string;
}

export interface TerminalKept {
  table: string;
  seat: string;
  connected: boolean;
}

export interface TerminalKey {
  token: string;
}

/** `reason` is the reason that a person gave; empty if another terminal was enrolled for the seat. */
export interface TerminalRetired {
  type: 'TerminalRetired';
  by: string;
  at: number;
  digest: string;
  table: string;
  seat: string;
  reason: string;
}

export interface TerminalsInterrupted {
  type: 'TerminalsInterrupted';
  by: string;
  at: number;
  seats: readonly string[];
  lost: readonly LostBet[];
  treatment: string;
  clause: string;
}

export interface TerminalsRestored {
  type: 'TerminalsRestored';
  by: string;
  at: number;
  seats: readonly string[];
}

/** The result of one test. It speaks if chance alone would give a result this odd less often than `level`. */
export interface Tested {
  test: string;
  statistic: number | null;
  p: number | null;
  level: number;
  speaks: boolean;
  alarm: boolean;
  why: Problem | null;
}

/** One ticket, found by its whole number. */
export interface TicketAlone {
  ticket: TicketShown;
  made: [string, number];
  end: [string, number] | null;
  replacement: string;
  paper: '' | 'duplicate' | 'ended' | 'first';
}

export interface TicketExpired {
  type: 'TicketExpired';
  by: string;
  at: number;
  ticket: string;
  amount: number;
}

export interface TicketIn {
  do: 'ticket-in';
  id: string;
  ticket: string;
}

export interface TicketIssued {
  type: 'TicketIssued';
  by: string;
  at: number;
  seat: string;
  ticket: string;
  amount: number;
  expires: number;
}

export interface TicketList {
  tickets: readonly TicketShown[];
  found: number;
  counts: Readonly<Record<string, number>>;
  sums: Readonly<Record<string, number>>;
  liability: number;
}

/** Turn credit into a ticket. The floor makes its number; sent again with the same id, it is the same ticket. */
export interface TicketOut {
  do: 'ticket-out';
  id: string;
  amount: number;
}

export interface TicketPaid {
  type: 'TicketPaid';
  by: string;
  at: number;
  ticket: string;
  amount: number;
}

export interface TicketRedeemed {
  type: 'TicketRedeemed';
  by: string;
  at: number;
  seat: string;
  ticket: string;
  amount: number;
}

export interface TicketReprinted {
  type: 'TicketReprinted';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  reason: string;
}

/** A ticket in a list. Of a live ticket only the last four digits are shown. */
export interface TicketShown {
  number: string;
  state: string;
  amount: number;
  issued: number;
  expires: number;
  place: string;
  ended: number;
}

export interface TicketSold {
  type: 'TicketSold';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
}

export interface TicketVoided {
  type: 'TicketVoided';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  reason: string;
  replacement: string;
  replacement_expires: number;
}

/** The challenge that a person's passkey must sign, in base64; empty if nothing must be signed. */
export interface ToSign {
  challenge: string;
  credentials: readonly string[];
}

export interface TotalCount {
  total: number;
  count: number;
  expected: number;
}

/** Every clause, with what keeps it and the tests that show it. */
export interface Trace {
  books: readonly TracedBook[];
  note: string;
}

export interface TracedBook {
  book: string;
  title: string;
  hash: string;
  clauses: readonly TracedClause[];
  results: Readonly<Record<string, number>>;
}

export interface TracedClause {
  clause: string;
  kept: string;
  says: string;
  evidence: readonly string[];
  result: string;
}

export interface UnclaimedPaid {
  type: 'UnclaimedPaid';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  reason: string;
}

/** A person who has chosen their password, but whom others must still confirm. */
export interface Unconfirmed {
  person: string;
  code: string;
  digest: string;
  vouched_by: readonly string[];
  missing: number;
  may: boolean;
}

export interface Uncover {
  type: 'Uncover';
  by: string;
  at: number;
}

export interface Uncovered {
  type: 'Uncovered';
  by: string;
  at: number;
}

/** The result is unknown: send the act again, with the same id. */
export interface Unknown {
  said: 'unknown';
  id: string;
}

export interface Unlock {
  type: 'Unlock';
  by: string;
  at: number;
  reason: string;
}

/** The last verification, finished or running; state `never` if there was none. */
export interface Verification {
  state: 'failed' | 'lies' | 'never' | 'running' | 'true';
  by?: string;
  began?: number;
  ended?: number;
  rows?: number;
  tables?: number;
  tickets?: number;
  checkpoints?: number;
  lies?: readonly string[];
  notes?: readonly string[];
  summary?: string;
  findings?: readonly Statement[];
}

/** A person whom a visitor can be; the link signs in once. */
export interface Visitor {
  person: string;
  roles: readonly string[];
  link: string;
}

export interface Visitors {
  people: readonly Visitor[];
}

export interface VoidRounds {
  type: 'VoidRounds';
  by: string;
  at: number;
  rounds: readonly number[];
  irregularity: string;
  reason: string;
}

/** Take the value from a ticket; a lost or damaged one gets a replacement. Needs two people. */
export interface VoidTicket {
  type: 'VoidTicket';
  by: string;
  at: number;
  ticket: string;
  amount: number;
  expires: number;
  found: 'expired' | 'live' | 'paid' | 'redeemed' | 'unknown' | 'void';
  reason: string;
  replacement?: string;
  replacement_expires?: number;
}

/** A request that waits for a second person, with exactly the content that they would sign. */
export interface WaitingNow {
  number: number;
  by: string;
  act: string;
  told: Statement;
  content: unknown;
  digest: string;
  expires: number;
  may: boolean;
  device?: DeviceReport | null;
}

/** The identity of this terminal, and what does not change while it is connected. */
export interface Welcome {
  said: 'welcome';
  version: number;
  table: string;
  seat: string;
  rulebook: string;
  title: string;
  operator: string | null;
  choice: boolean;
  now: number;
  zone: string;
  warning: number;
  wheel: readonly string[];
  nodes: readonly string[];
}

export interface WhoseLink {
  person: string;
}

/** Ends the round. `paid` holds the bets that got something back; `used_once` the seats whose once-only is used. */
export interface WinnersPaid {
  type: 'WinnersPaid';
  by: string;
  at: number;
  round: number;
  paid: readonly Paid[];
  used_once: readonly string[];
  clause?: string;
}

/** `bet` is the floor's id of the bet, `SEAT.ID`, as in `ok` and `own`. */
export interface Withdraw {
  do: 'withdraw';
  id: string;
  bet: string;
  amount: number;
}

export interface WithdrawBet {
  type: 'WithdrawBet';
  by: string;
  at: number;
  id: string;
  bet: string;
  amount: number;
}

/** Give up what a seat owes: needs two people. */
export interface WriteOffDebt {
  type: 'WriteOffDebt';
  by: string;
  at: number;
  seat: string;
  amount: number;
  reason: string;
}

export type Device =
  | 'dice'
  | 'wheel';

export type Order =
  | 'open-cover'
  | 'covered'
  | 'wheel';

export type Phase =
  | 'ready'
  | 'betting'
  | 'spinning'
  | 'closed'
  | 'moving'
  | 'rest'
  | 'entering'
  | 'entered'
  | 'settling'
  | 'interrupted';

export type Stage =
  | 'tumble'
  | 'face'
  | 'revolution'
  | 'drop'
  | 'rotor';

export type TableState =
  | 'stopped'
  | 'closed'
  | 'locked'
  | 'interrupted'
  | 'standing-still'
  | 'open';

export type AnyDo =
  | Hello
  | Ping
  | Bets
  | Withdraw
  | TicketIn
  | TicketOut
  | ShowLayout
  | Recall
  | Receipt
  | Rules;

export type AnySaid =
  | Welcome
  | Moved
  | Room
  | News
  | MotionShown
  | Own
  | Pong
  | BadMessage
  | Ok
  | No
  | Unknown
  | Rounds
  | Signed
  | Book;

export type AnyCommand =
  | OpenTable
  | CloseTable
  | AssignStaff
  | TakeSeat
  | ChooseLayout
  | LeaveSeat
  | SellCredit
  | PayOut
  | GiveCredit
  | RedeemTicket
  | CashOut
  | RepayDebt
  | WriteOffDebt
  | FillBank
  | DrainBank
  | GiveColour
  | TakeBackColour
  | SetLimits
  | SetLayouts
  | OpenBetting
  | PlaceBet
  | WithdrawBet
  | RejectExcess
  | AdviseShort
  | CallNoMoreBets
  | StartMotion
  | EndMotion
  | Uncover
  | PressKey
  | PressEntry
  | EnterNumber
  | SenseResult
  | DecideResult
  | AmendResult
  | ConfirmResult
  | PayWinners
  | Report
  | DecideBet
  | Decide
  | CorrectResult
  | VoidRounds
  | Unlock
  | Interrupt
  | InterruptTerminals
  | Restore
  | RestoreTerminals
  | Attest
  | Approve
  | Decline
  | BringBook
  | TakeUpBook
  | TakeUpPlanned
  | CancelPlan;

export type AnyEvent =
  | TableOpened
  | TableClosed
  | StaffAssigned
  | SeatTaken
  | LayoutChosen
  | SeatLeft
  | CreditSold
  | CreditPaidOut
  | CreditGiven
  | TicketRedeemed
  | TicketIssued
  | DebtRepaid
  | DebtWrittenOff
  | BankFilled
  | BankDrained
  | ColourGiven
  | ColourTakenBack
  | LimitsSet
  | LayoutsSet
  | BettingOpened
  | BetPlaced
  | BetWithdrawn
  | ExcessRejected
  | ShortBetAdvised
  | BettingClosed
  | MotionStarted
  | MotionEnded
  | Uncovered
  | KeyPressed
  | ResultEntered
  | ResultSensed
  | ResultDecided
  | ResultAmended
  | ResultAnnounced
  | ResultChecked
  | LosersCollected
  | WinnersPaid
  | RoundVoided
  | Reported
  | BetDecided
  | Decided
  | ResultCorrected
  | SettledRoundVoided
  | TableLocked
  | TableUnlocked
  | Interrupted
  | TerminalsInterrupted
  | TerminalsRestored
  | Resumed
  | PowerBack
  | FacesAttested
  | ApprovalRequested
  | ReportContradicted
  | ApprovalGiven
  | ApprovalDeclined
  | BookBrought
  | BookPlanned
  | BookTakenUp
  | PlanCancelled;

export type AnyCageCommand =
  | SellTicket
  | PayTicket
  | VoidTicket
  | ReprintTicket
  | ExpireTicket
  | PayUnclaimed
  | EmployStaff
  | ApproveRequest
  | DeclineRequest;

export type AnyCageEvent =
  | TicketSold
  | TicketPaid
  | TicketVoided
  | TicketReprinted
  | TicketExpired
  | UnclaimedPaid
  | StaffEmployed
  | ApprovalRequested
  | ApprovalGiven
  | ApprovalDeclined;

export type AnyOfficeCommand =
  | MakeAccount
  | SetRoles
  | RetireAccount
  | NotePassword
  | MakeLink
  | BeginSession
  | NoteFailure
  | EndSessions
  | AdoptRules
  | NameFounders
  | ConfirmPerson
  | NoteAsker
  | RequirePasskeys
  | AddPasskey
  | DropPasskey
  | SignAsking
  | EnrolTerminal
  | RetireTerminal
  | RaiseAlert
  | AcknowledgeAlert;

export type AnyOfficeEvent =
  | AccountMade
  | RolesSet
  | AccountRetired
  | PasswordNoted
  | LinkMade
  | SessionBegun
  | FailureNoted
  | SessionsEnded
  | RulesAdopted
  | FoundersNamed
  | PersonConfirmed
  | AskerNoted
  | PasskeysRequired
  | PasskeyAdded
  | PasskeyDropped
  | AskingSigned
  | TerminalEnrolled
  | TerminalRetired
  | AlertRaised
  | AlertAcknowledged;
