/** The keys of the page, as its help tells them. */
import { m } from '../../i18n';

export interface HelpGroup {
  name: string;
  title: () => string;
  keys: readonly { keys: readonly (() => string)[]; does: () => string }[];
}

/** Keys of one sign are called the same in every language. */
const sign = (text: string) => () => text;

export const helpGroups: readonly HelpGroup[] = [
  {
    name: 'composer',
    title: m.help_composer,
    keys: [
      { keys: [m.key_enter], does: m.help_enter },
      { keys: [m.key_alt_enter], does: m.help_alt_enter },
      { keys: [m.key_shift_enter], does: m.help_shift_enter },
      { keys: [m.key_alt_up], does: m.help_alt_up },
      { keys: [m.key_esc], does: m.help_esc },
    ],
  },
  {
    name: 'everywhere',
    title: m.help_everywhere,
    keys: [
      { keys: [m.key_f8], does: m.help_f8 },
      { keys: [m.key_f10], does: m.help_f10 },
      { keys: [sign('/')], does: m.help_slash },
      { keys: [m.key_f3], does: m.help_f3 },
      { keys: [m.key_mod_k], does: m.help_mod_k },
      { keys: [m.key_l], does: m.help_l },
      { keys: [m.key_question], does: m.help_question },
    ],
  },
  {
    name: 'outline',
    title: m.help_outline,
    keys: [
      { keys: [m.key_up, m.key_down], does: m.help_up_down },
      { keys: [m.key_right, m.key_left], does: m.help_left_right },
      { keys: [m.key_home, m.key_end], does: m.help_home_end },
      { keys: [m.key_page_up, m.key_page_down], does: m.help_page },
      { keys: [m.key_enter, m.key_space], does: m.help_select },
      { keys: [sign('*')], does: m.help_star },
      { keys: [m.key_letters], does: m.help_letters },
    ],
  },
  {
    name: 'search',
    title: m.help_search,
    keys: [
      { keys: [m.key_enter], does: m.help_search_enter },
      { keys: [m.key_esc], does: m.help_search_esc },
    ],
  },
  {
    name: 'time',
    title: m.help_time,
    keys: [
      { keys: ['W', 'S', 'A', 'D'].map(sign), does: m.help_wasd },
      { keys: ['+', '−'].map(sign), does: m.help_plus_minus },
      { keys: [m.key_wheel], does: m.help_wheel },
      { keys: [m.key_shift_wheel], does: m.help_shift_wheel },
      { keys: [m.key_wheel], does: m.help_wheel_names },
      { keys: [m.key_page_up, m.key_page_down], does: m.help_page_lanes },
      { keys: [m.key_home, m.key_end], does: m.help_time_ends },
      { keys: [m.key_f, m.key_enter], does: m.help_f },
      { keys: ['[', ']'].map(sign), does: m.help_brackets },
      { keys: [m.key_up, m.key_down], does: m.help_lanes },
      { keys: [m.key_esc], does: m.help_time_esc },
      { keys: [m.key_space], does: m.help_space },
    ],
  },
  {
    name: 'loop',
    title: m.help_loop,
    keys: [
      { keys: [m.key_up, m.key_down, m.key_left, m.key_right], does: m.help_loop_arrows },
      { keys: [m.key_home, m.key_end], does: m.help_loop_ends },
      { keys: [m.key_enter], does: m.help_loop_enter },
    ],
  },
  {
    name: 'files',
    title: m.help_files,
    keys: [
      { keys: [m.key_up, m.key_down, m.key_left, m.key_right], does: m.help_files_arrows },
      { keys: [m.key_home, m.key_end], does: m.help_home_end },
      { keys: [m.key_page_up, m.key_page_down], does: m.help_page },
      { keys: [m.key_enter, m.key_space], does: m.help_files_open },
      { keys: [m.key_f2], does: m.help_files_rename },
      { keys: [m.key_delete], does: m.help_files_delete },
      { keys: [m.key_letters], does: m.help_letters },
      { keys: [m.key_mod_s], does: m.help_files_save },
    ],
  },
  {
    name: 'queues',
    title: m.help_queues,
    keys: [{ keys: [m.key_alt_up, m.key_alt_down], does: m.help_shift_queued }],
  },
  {
    name: 'edges',
    title: m.help_edges,
    keys: [
      { keys: [m.key_up, m.key_down, m.key_left, m.key_right], does: m.help_edges_arrows },
      { keys: [m.key_home, m.key_end], does: m.help_edges_ends },
      { keys: [m.key_enter], does: m.help_edges_enter },
    ],
  },
  {
    name: 'setup',
    title: m.help_setup,
    keys: [{ keys: [m.key_mod_enter], does: m.help_setup_prompt }],
  },
  {
    name: 'manual',
    title: m.help_manual,
    keys: [{ keys: [m.key_mod_enter], does: m.help_manual_send }],
  },
];
