/** What Enter makes of a message. */
export type SendAs = 'prompt' | 'steer' | 'followUp';
