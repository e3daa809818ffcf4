"""The direct message that an analysis is over."""

from gipfbot.service.app import App
from gipfbot.service.records.analyses import ANALYSIS
from gipfbot.ui.kit import texts
from gipfbot.ui.kit.components import Button
from gipfbot.ui.kit.outbox_messages import OutboxMessage, outbox_message
from gipfbot.values import AnalysisState, OutboxRow

from . import analysis_texts


@outbox_message(ANALYSIS, direct=True)
async def build_analysis_over(_: App, row: OutboxRow) -> OutboxMessage:
    """Build the message that an analysis is ready, or that it has failed."""
    game, state = row.payload["game"], AnalysisState(row.payload["state"])
    label = analysis_texts.ANALYSIS_LABEL if state is AnalysisState.DONE else texts.ANALYSE_LABEL
    button = Button(label, f"analyse:{game}", "primary")
    return OutboxMessage(analysis_texts.analysis_over_text(game, state), rows=((button,),))
