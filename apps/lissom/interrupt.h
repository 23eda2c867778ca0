#pragma once
// Ctrl-C (SIGINT), SIGTERM and SIGHUP end a long computation after its current step, so that it still reports what it
// has and closes its files. The second one ends the program at once.

// The exit code of a verb that was ended so.
inline constexpr int interrupted_code = 130;

// Makes these signals set a flag instead of ending the program. Called by verbs that ask for the flag often.
void end_on_request();
// Whether one of the signals has arrived since.
bool interrupted();
