// A bot in Rust: it takes a win if it sees one, and any legal move otherwise. To build it: rustc -O bot.rs
use std::io::{self, BufRead, Write};

#[derive(Default)]
struct Bot {
    all: Vec<i64>, pool: Vec<i64>, start: Vec<i64>, totals: Vec<i64>,
    target: i64, seat: usize, before: Option<i64>, // what the last number move added to a total
    subtracts: bool, own: bool, wins: bool, bans: bool, random: u64,
}

fn numbers(text: &str) -> Vec<i64> {
    text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|part| part.parse().ok()).collect()
}

impl Bot {
    fn rule(&mut self, key: &str, value: &str) {
        match key {
            "pool" => self.all = numbers(value), "start" => self.start = numbers(value),
            "target" => self.target = numbers(value)[0],
            "operations" => self.subtracts = value.contains("subtract"), "totals" => self.own = value.contains("own"),
            "reaching" => self.wins = value.contains("wins"), "ban" => self.bans = value.contains("mirror"),
            _ => {}
        }
    }
    // Where a game only adds, the sign of a move is the number's own: -3 adds -3. Else it is the operation.
    fn read(&self, text: &str) -> (i64, i64) {
        let number: i64 = if self.subtracts { &text[1..] } else { text }.parse().unwrap_or(0);
        (number, if self.subtracts && text.starts_with('-') { -number } else { number })
    }
    fn play(&mut self, text: &str) {
        if text == "swap" { return; } // the players change seats; it is still seat 2's turn
        let (number, amount) = self.read(text);
        self.pool.iter().position(|&one| one == number).map(|at| self.pool.remove(at));
        if self.pool.is_empty() { self.pool = self.all.clone(); } // sudden death
        let mine = self.seat % self.totals.len();
        self.totals[mine] += amount;
        (self.before, self.seat) = (Some(amount), 1 - self.seat);
    }
    fn position(&mut self, words: &[&str]) {
        let cut = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        self.pool = self.all.clone();
        self.totals = if self.own && self.start.len() == 1 { vec![self.start[0]; 2] } else { self.start.clone() };
        (self.seat, self.before) = (0, None);
        if words[0] == "fen" && cut > 3 {
            (self.pool, self.totals, self.seat) = (numbers(words[1]), numbers(words[2]), (words[3] == "2") as usize);
            if cut > 4 && words[4] != "-" { self.before = Some(self.read(words[4].trim_end_matches(",swap")).1); }
        }
        for text in words.iter().skip(cut + 1) { self.play(text); }
    }
    fn choose(&mut self) -> String {
        let adding = |one: &i64| if self.subtracts { format!("+{one}") } else { format!("{one:+}") };
        let mut every: Vec<String> = self.pool.iter().map(adding).collect();
        if self.subtracts { every.extend(self.pool.iter().map(|one| format!("-{one}"))); }
        let undoes = |m: &&String| self.bans && self.before == Some(-self.read(m).1);
        let allowed: Vec<String> = every.iter().filter(|m| !undoes(m)).cloned().collect();
        let moves = if allowed.is_empty() { every } else { allowed }; // a ban never forbids everything
        let total = self.totals[self.seat % self.totals.len()];
        let win = moves.iter().find(|m| self.wins && total + self.read(m).1 == self.target);
        if let Some(found) = win { return found.clone(); }
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        moves[(self.random >> 33) as usize % moves.len()].clone()
    }
}

fn main() {
    let mut bot = Bot { random: std::process::id() as u64, ..Default::default() };
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied().unwrap_or("") {
            "ugi" => println!("id name Rust example\nid author zerosum\nugiok"),
            "isready" => println!("readyok"),
            "position" => bot.position(&words[1..]),
            "go" => println!("bestmove {}", bot.choose()),
            "quit" => break,
            _ => if let Some((key, value)) = line.split_once(" = ") { bot.rule(key, value) }, // a line after `rules`
        }
        io::stdout().flush().ok();
    }
}
