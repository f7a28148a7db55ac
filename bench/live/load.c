/* A crowd of terminals in one thread: WebSocket with masked frames over epoll, controlled line by line.
 *
 * It knows nothing of any subject's language. A bet is a ready-made frame with a place for its id, ten digits that ascend;
 * its answer is the next frame on that connection that has this id in it. So every subject is asked in the same way.
 *
 * On standard input, one command a line; on standard output, one JSON object a line:
 *   connect PORT FILE       a line of FILE is one terminal: PATH HELLO AFTER READY (in hex, or -); AFTER is the number of
 *                           frames to wait for before the hello, READY what the frame has in it that ends the welcome
 *   bets FILE GOOD DEPTH WARM SECONDS     every terminal keeps DEPTH bets waiting for their answers
 *   paced FILE GOOD RATE SECONDS          RATE bets a second in all, whatever the answers; timed from when each was due
 *   each FILE GOOD COUNT                  every terminal places COUNT bets, one after the other, once
 *   await MARK SECONDS                    wait until every terminal has had a frame with MARK in it
 * A line of a FILE of bets is one bet: OPCODE OFFSET HEX. Times are nanoseconds of the monotonic clock.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 10, MOST_WAITING = 128, MOST_BETS = 512, MOST_FRAME = 1024, TOGETHER = 128 };
typedef uint64_t nanos;

typedef struct {
	uint8_t bytes[MOST_FRAME];
	size_t length, id;
} Frame;

typedef struct {
	uint8_t *bytes;
	size_t length;
} Blob;

typedef struct {
	int fd, after, has_mark, frames;
	enum { UPGRADING, GREETING, READY } state;
	Blob hello, ready;
	uint8_t *rest; /* the beginning of a frame that has not come whole */
	size_t rest_length, rest_room;
	uint64_t ids[MOST_WAITING];
	nanos due[MOST_WAITING];
	unsigned head, count, placed;
} Terminal;

static Terminal *terminals;
static int count, ready, queue;
static Frame bets[MOST_BETS];
static int bet_count;
static uint64_t next_id = 1;
static Blob good, mark;

/* what is going on */
static int again;         /* an answer is followed by the next bet */
static unsigned each;     /* bets of every terminal, if that is bounded */
static int measuring;
static uint64_t waiting, total, refused, others, received, finished;
static uint32_t *took;    /* by each answer while measuring, in 16 nanoseconds */
static size_t took_count, took_room;
static nanos mark_first, mark_last;
static size_t mark_length;

static void die(const char *format, ...) {
	va_list values;
	va_start(values, format);
	fprintf(stderr, "load: ");
	vfprintf(stderr, format, values);
	fprintf(stderr, "\n");
	exit(1);
}

static nanos now(void) {
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	return (nanos)at.tv_sec * 1000000000u + (nanos)at.tv_nsec;
}

static double busy(void) {
	struct rusage used;
	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static Blob unhex(const char *text) {
	Blob blob = {0};
	if (!strcmp(text, "-")) return blob;
	blob.length = strlen(text) / 2;
	blob.bytes = malloc(blob.length + 1);
	for (size_t i = 0; i < blob.length; i++) {
		unsigned byte;
		if (sscanf(text + 2 * i, "%2x", &byte) != 1) die("no hex: %s", text);
		blob.bytes[i] = (uint8_t)byte;
	}
	return blob;
}

static int has(const uint8_t *bytes, size_t length, Blob what) {
	return what.length == 0 || memmem(bytes, length, what.bytes, what.length) != NULL;
}

/* ---- speaking */

static const uint8_t KEY[4] = {0x3a, 0x91, 0x5c, 0x07};

static size_t framed(uint8_t *target, int opcode, const uint8_t *body, size_t length) {
	size_t at = 2;
	target[0] = (uint8_t)(0x80 | opcode);
	if (length < 126) {
		target[1] = (uint8_t)(0x80 | length);
	} else {
		target[1] = 0x80 | 126;
		target[2] = (uint8_t)(length >> 8), target[3] = (uint8_t)length, at = 4;
	}
	memcpy(target + at, KEY, 4), at += 4;
	for (size_t i = 0; i < length; i++) target[at + i] = body[i] ^ KEY[i & 3];
	return at + length;
}

static void out(Terminal *t, const uint8_t *bytes, size_t length) {
	ssize_t sent = send(t->fd, bytes, length, MSG_NOSIGNAL);
	if (sent != (ssize_t)length) die("a terminal could not send: %s", sent < 0 ? strerror(errno) : "the subject reads nothing");
}

static void send_frame(Terminal *t, int opcode, const uint8_t *body, size_t length) {
	uint8_t frame[MOST_FRAME + 16];
	if (length > MOST_FRAME) die("a message of %zu bytes is too long", length);
	out(t, frame, framed(frame, opcode, body, length));
}

/* The next bet of a terminal, into a buffer that goes out as a whole. */
static size_t place(Terminal *t, uint8_t *target, nanos due) {
	uint64_t id = next_id++;
	Frame *bet = &bets[id % (uint64_t)bet_count];
	if (t->count == MOST_WAITING) die("%d bets of one terminal wait for their answers", MOST_WAITING);
	memcpy(target, bet->bytes, bet->length);
	uint64_t rest = id;
	size_t body = bet->id; /* where the id stands in the frame; its place under the mask is the same modulo 4 */
	for (int i = DIGITS - 1; i >= 0; i--, rest /= 10) {
		size_t at = body + (size_t)i;
		target[at] = (uint8_t)('0' + rest % 10) ^ KEY[(at - (bet->bytes[1] == (0x80 | 126) ? 8 : 6)) & 3];
	}
	unsigned slot = (t->head + t->count++) % MOST_WAITING;
	t->ids[slot] = id, t->due[slot] = due;
	t->placed++, waiting++;
	return bet->length;
}

static void bet(Terminal *t, nanos due) {
	uint8_t frame[MOST_FRAME + 16];
	out(t, frame, place(t, frame, due));
}

/* ---- receiving */

static int answers(Terminal *t, const uint8_t *body, size_t length, nanos at) {
	char id[DIGITS + 1];
	if (!t->count) return 0;
	uint64_t rest = t->ids[t->head];
	for (int i = DIGITS - 1; i >= 0; i--, rest /= 10) id[i] = (char)('0' + rest % 10);
	if (!memmem(body, length, id, DIGITS)) return 0;
	if (!has(body, length, good)) {
		if (!refused++) fprintf(stderr, "load: not taken: %.*s\n", (int)length, (const char *)body);
	}
	if (measuring) {
		if (took_count == took_room) took = realloc(took, (took_room = took_room ? 2 * took_room : 1 << 20) * sizeof *took);
		nanos spent = at - t->due[t->head];
		took[took_count++] = spent / 16 > UINT32_MAX ? UINT32_MAX : (uint32_t)(spent / 16);
	}
	t->head = (t->head + 1) % MOST_WAITING, t->count--;
	waiting--, total++;
	return 1;
}

/* One frame of a subject; how many more bytes this terminal has to send now. */
static size_t receive(Terminal *t, int opcode, const uint8_t *body, size_t length, nanos at, uint8_t *target) {
	if (opcode == 9) { send_frame(t, 10, body, length); return 0; }
	if (opcode == 8) die("a terminal was sent away: %.*s", length > 2 ? (int)length - 2 : 0, (const char *)body + 2);
	if (t->state == GREETING) {
		if (++t->frames == t->after && t->hello.length) send_frame(t, t->hello.bytes[0] == '{' ? 1 : 2, t->hello.bytes, t->hello.length);
		if (t->frames > t->after && has(body, length, t->ready)) t->state = READY, ready++;
		return 0;
	}
	if (t->count && answers(t, body, length, at)) {
		if (each && t->placed == each && !t->count) finished++;
		if (again && (!each || t->placed < each)) return place(t, target, at);
		return 0;
	}
	others++;
	if (mark.length && !t->has_mark && has(body, length, mark)) {
		t->has_mark = 1, received++;
		mark_last = at, mark_length = length;
		if (received == 1) mark_first = at;
	}
	return 0;
}

static void upgraded(Terminal *t) {
	t->state = GREETING;
	if (!t->after && t->hello.length) send_frame(t, t->hello.bytes[0] == '{' ? 1 : 2, t->hello.bytes, t->hello.length);
	if (!t->ready.length) t->state = READY, ready++;
}

/* What came, from the beginning of a frame; how much of it was whole. */
static size_t read_frames(Terminal *t, const uint8_t *bytes, size_t length) {
	static uint8_t later[MOST_WAITING * (MOST_FRAME + 16)];
	size_t at = 0, pending = 0;
	nanos moment = now();
	if (t->state == UPGRADING) {
		const uint8_t *end = memmem(bytes, length, "\r\n\r\n", 4);
		if (!end) return 0;
		if (memcmp(bytes, "HTTP/1.1 101", 12)) die("no WebSocket: %.60s", (const char *)bytes);
		at = (size_t)(end - bytes) + 4;
		upgraded(t);
	}
	while (length - at >= 2) {
		const uint8_t *frame = bytes + at;
		size_t body = frame[1] & 0x7f, head = 2;
		if (body == 126) {
			if (length - at < 4) break;
			body = (size_t)frame[2] << 8 | frame[3], head = 4;
		} else if (body == 127) {
			if (length - at < 10) break;
			body = 0, head = 10;
			for (int i = 2; i < 10; i++) body = body << 8 | frame[i];
		}
		if (length - at < head + body) break;
		pending += receive(t, frame[0] & 15, frame + head, body, moment, later + pending);
		at += head + body;
		if (pending > sizeof later - 2 * MOST_FRAME) out(t, later, pending), pending = 0;
	}
	if (pending) out(t, later, pending);
	return at;
}

static void readable(Terminal *t) {
	static uint8_t buffer[1 << 18];
	size_t length = t->rest_length;
	if (length) memcpy(buffer, t->rest, length);
	ssize_t came = recv(t->fd, buffer + length, sizeof buffer - length, MSG_DONTWAIT);
	if (came == 0) die("a subject closed a connection");
	if (came < 0) {
		if (errno == EAGAIN || errno == EINTR) return;
		die("a connection broke: %s", strerror(errno));
	}
	length += (size_t)came;
	size_t whole = read_frames(t, buffer, length);
	t->rest_length = length - whole;
	if (t->rest_length > t->rest_room) t->rest = realloc(t->rest, t->rest_room = 2 * t->rest_length);
	if (t->rest_length) memcpy(t->rest, buffer + whole, t->rest_length);
}

/* Hear what there is, waiting so long for it; whether a command waits on standard input. */
static int pump(int milliseconds) {
	struct epoll_event events[512];
	int commanded = 0, got = epoll_wait(queue, events, 512, milliseconds);
	for (int i = 0; i < got; i++) {
		if (events[i].data.ptr) readable(events[i].data.ptr);
		else commanded = 1;
	}
	return commanded;
}

/* ---- commands */

static FILE *opened(const char *name) {
	FILE *file = fopen(name, "r");
	if (!file) die("%s: %s", name, strerror(errno));
	return file;
}

static void connect_one(Terminal *t, int port, const char *path) {
	struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	char request[512];
	int on = 1;
	t->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (t->fd < 0) die("no more sockets: %s", strerror(errno));
	if (connect(t->fd, (struct sockaddr *)&there, sizeof there)) die("connect: %s", strerror(errno));
	setsockopt(t->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	fcntl(t->fd, F_SETFL, O_NONBLOCK);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = t};
	epoll_ctl(queue, EPOLL_CTL_ADD, t->fd, &event);
	int length = snprintf(request, sizeof request,
		"GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n", path, port);
	out(t, (uint8_t *)request, (size_t)length);
}

static void connect_all(int port, const char *name) {
	static char path[512], hello[4096], expected[512];
	FILE *file = opened(name);
	int after, lines = 0;
	for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
	rewind(file);
	terminals = calloc((size_t)lines, sizeof *terminals);
	nanos begin = now();
	while (fscanf(file, "%511s %4095s %d %511s", path, hello, &after, expected) == 4) {
		Terminal *t = &terminals[count++];
		t->hello = unhex(hello), t->after = after, t->ready = unhex(expected);
		connect_one(t, port, path);
		while (count - ready >= TOGETHER) pump(100);
	}
	fclose(file);
	while (ready < count) {
		pump(100);
		if (now() - begin > 120000000000u) die("%d of %d terminals were not welcomed", count - ready, count);
	}
	printf("{\"terminals\": %d, \"seconds\": %.3f}\n", count, (double)(now() - begin) / 1e9);
}

static void read_bets(const char *name, const char *wanted) {
	static char hex[2 * MOST_FRAME + 1];
	FILE *file = opened(name);
	int opcode;
	size_t offset;
	bet_count = 0;
	free(good.bytes);
	good = unhex(wanted);
	while (bet_count < MOST_BETS && fscanf(file, "%d %zu %2048s", &opcode, &offset, hex) == 3) {
		Blob body = unhex(hex);
		Frame *frame = &bets[bet_count++];
		frame->length = framed(frame->bytes, opcode, body.bytes, body.length);
		frame->id = frame->length - body.length + offset;
		free(body.bytes);
	}
	fclose(file);
	if (!bet_count) die("%s has no bets", name);
}

static int ascending(const void *a, const void *b) {
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static double share(double of) {
	return took_count ? 16e-9 * (double)took[(size_t)(of * (double)(took_count - 1))] : 0;
}

static void begin_to_measure(void) {
	took_count = 0, measuring = 1;
}

static void drain(void) {
	nanos begin = now();
	again = 0;
	while (waiting) {
		pump(10);
		if (now() - begin > 60000000000u) die("%lu bets were never answered", (unsigned long)waiting);
	}
}

static void report(double seconds, double used) {
	qsort(took, took_count, sizeof *took, ascending);
	printf("{\"answers\": %zu, \"seconds\": %.6f, \"p50\": %.9f, \"p99\": %.9f, \"most\": %.9f, \"refused\": %lu, \"busy\": %.4f, \"total\": %lu}\n",
		took_count, seconds, share(0.5), share(0.99), share(1), (unsigned long)refused, used / seconds, (unsigned long)total);
}

static void closed_loop(unsigned depth, double warm, double seconds) {
	nanos begin = now();
	each = 0, again = 1, refused = 0, total = 0, measuring = 0;
	for (int i = 0; i < count; i++)
		for (unsigned n = 0; n < depth; n++) bet(&terminals[i], now());
	nanos from = begin + (nanos)(warm * 1e9), until = from + (nanos)(seconds * 1e9);
	while (now() < from) pump(1);
	begin_to_measure();
	double used = busy();
	from = now();
	while (now() < until) pump(1);
	double spent = (double)(now() - from) / 1e9;
	used = busy() - used, measuring = 0;
	drain();
	report(spent, used);
}

static void paced(double rate, double seconds) {
	uint64_t planned = (uint64_t)(rate * seconds), placed = 0;
	nanos begin = now() + 1000000u;
	double used = busy();
	each = 0, again = 0, refused = 0, total = 0;
	begin_to_measure();
	while (placed < planned) {
		nanos due = begin + (nanos)((double)placed / rate * 1e9);
		if (now() >= due) bet(&terminals[placed++ % (uint64_t)count], due);
		else pump(0);
	}
	double spent = (double)(now() - begin) / 1e9;
	used = busy() - used;
	drain();
	measuring = 0;
	report(spent, used);
}

static void each_so_many(unsigned bets_each) {
	nanos begin = now();
	each = bets_each, again = 1, refused = 0, total = 0, finished = 0;
	begin_to_measure();
	for (int i = 0; i < count; i++) terminals[i].placed = 0, bet(&terminals[i], now());
	while (finished < (uint64_t)count) pump(10);
	again = 0, measuring = 0;
	report((double)(now() - begin) / 1e9, 0);
}

static void listen_for(const char *what, double seconds) {
	free(mark.bytes);
	mark = unhex(what), received = 0;
	for (int i = 0; i < count; i++) terminals[i].has_mark = 0;
	printf("{\"listening\": true}\n");
	fflush(stdout);
	nanos until = now() + (nanos)(seconds * 1e9);
	while (received < (uint64_t)count)
		if (pump(10), now() > until) die("%lu of %d terminals received it", (unsigned long)received, count);
	printf("{\"first\": %lu, \"last\": %lu, \"bytes\": %zu}\n", (unsigned long)mark_first, (unsigned long)mark_last, mark_length);
	mark.length = 0;
}

int main(void) {
	static char line[4096], file[1024], word[1024];
	int port;
	unsigned number;
	double a, b;
	setvbuf(stdin, NULL, _IONBF, 0);
	queue = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
	epoll_ctl(queue, EPOLL_CTL_ADD, 0, &event);
	for (;;) {
		if (!pump(-1)) continue;
		if (!fgets(line, sizeof line, stdin)) return 0;
		if (sscanf(line, "connect %d %1023s", &port, file) == 2) connect_all(port, file);
		else if (sscanf(line, "bets %1023s %1023s %u %lf %lf", file, word, &number, &a, &b) == 5)
			read_bets(file, word), closed_loop(number, a, b);
		else if (sscanf(line, "paced %1023s %1023s %lf %lf", file, word, &a, &b) == 4) read_bets(file, word), paced(a, b);
		else if (sscanf(line, "each %1023s %1023s %u", file, word, &number) == 3) read_bets(file, word), each_so_many(number);
		else if (sscanf(line, "await %1023s %lf", word, &a) == 2) listen_for(word, a);
		else die("what is this? %s", line);
		fflush(stdout);
	}
}
