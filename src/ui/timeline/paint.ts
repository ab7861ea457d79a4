/** Draws the whole axis, from back to front. */
import {
  paintGaps,
  paintNames,
  paintOverviewName,
  paintPauses,
  paintPauseTexts,
  paintRuler,
  paintScrollBar,
} from './paint-axis';
import { paintLanes } from './paint-bars';
import {
  paintHits,
  paintHovered,
  paintLandings,
  paintPlayhead,
  paintPointer,
  paintPolls,
  paintSelected,
} from './paint-marks';
import { paintOverview, type OverviewPicture } from './paint-overview';
import { LANES_TOP, RULER, within, type Scene } from './scene';

const QUEUES = ['steering', 'followUp'] as const;

/** `picture`: of the overview, from the drawing before; returns the one to keep. */
export function paint(scene: Scene, picture: OverviewPicture | undefined): OverviewPicture {
  const { context, palette, density, width, height, left, view, lanes } = scene;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, width, height);
  paintOverviewName(scene);
  const kept = paintOverview(scene, picture);
  within(scene, [0, LANES_TOP, width, height - LANES_TOP], () => paintNames(scene));
  within(scene, [left - 20, RULER.top, view.width + 20, height - RULER.top], () => {
    paintPauses(scene);
    paintRuler(scene);
    within(scene, [left, LANES_TOP, view.width, height - LANES_TOP], () => {
      // Under what was queued just then, whose text it would cover.
      for (const queue of QUEUES) paintPolls(scene, queue);
      paintLanes(scene);
      for (const queue of QUEUES) paintLandings(scene, queue);
      paintPauseTexts(scene);
      paintHovered(scene);
      paintSelected(scene);
    });
    paintGaps(scene);
    paintPointer(scene);
    paintHits(scene);
  });
  paintScrollBar(scene);
  if (lanes.start) paintPlayhead(scene);
  return kept;
}
