/** What the big button does now. */
export type TransportAction = 'play' | 'resume' | 'pause' | 'again' | 'none';
