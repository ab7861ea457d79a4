import { m } from '../../i18n';

/** What a message is called by its role; roles of other programs stand for themselves. */
export function roleTitle(role: string): string {
  if (role === 'user') return m.role_user();
  if (role === 'assistant') return m.role_assistant();
  if (role === 'system') return m.system_message();
  return role === 'toolResult' ? m.role_tool_result() : role;
}
