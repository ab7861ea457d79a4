import { m } from '../../i18n';
import type { RequestRepair } from '../../protocol';

const texts: Record<string, () => string> = {
  failedLeftOut: m.repair_failed_left_out,
  emptyLeftOut: m.repair_empty_left_out,
  resultLeftOut: m.repair_result_left_out,
  resultAdded: m.repair_result_added,
  resultMoved: m.repair_result_moved,
  idChanged: m.repair_id_changed,
  argumentsEmptied: m.repair_arguments_emptied,
  emptyResult: m.repair_empty_result,
  imagesLeftOut: m.repair_images_left_out,
};

/** What was mended in a request, and why, in a few words. */
export function repairText({ code }: RequestRepair): string {
  return texts[code]?.() ?? m.repair_other();
}
