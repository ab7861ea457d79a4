/** The conversation, as what stands at its end needs it. */
export interface ConversationPlace {
  /** Brings something in it into sight. */
  show: (element: HTMLElement) => void;
  /** Goes to what is newest, and follows it. */
  toEnd: () => void;
  /** Whether the loop above is hidden; `undefined` where it stands elsewhere. */
  roomy: boolean | undefined;
}
