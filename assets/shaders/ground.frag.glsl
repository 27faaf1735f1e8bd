// Grid lines and shadows on the ground; everything else of it is clear.
in vec2 at;
in vec2 in_light;
uniform vec2 target;        // the grid fades out round it
uniform float fade;         // m
uniform vec2 spacing;       // m: lines, strong lines
uniform vec3 minor_color;
uniform vec3 major_color;
uniform vec3 x_color;
uniform vec3 y_color;
uniform vec3 widths;        // device px: lines, strong lines, axes
#ifdef SHADOWS
uniform sampler2D ground_shadow;
uniform float shadow_opacity;
uniform float softness;     // texels of blur where the cover is far
#endif
out vec4 color;

float line(float x, float pixel, float width) {
    return clamp(0.5 * (width + 1.0) - abs(x) / pixel, 0.0, 1.0);
}

float grid(vec2 pixel, float step_, float width) {
    vec2 d = abs(fract(at / step_ + 0.5) - 0.5) * step_;
    float cover = max(line(d.x, pixel.x, width), line(d.y, pixel.y, width));
    // Cells of a few pixels would only make noise.
    return cover * (1.0 - smoothstep(0.12, 0.4, max(pixel.x, pixel.y) / step_));
}

#ifdef SHADOWS
float shadow() {
    vec2 rim = min(in_light, 1.0 - in_light);
    if (min(rim.x, rim.y) < 0.0) return 0.0;
    vec2 near = textureLod(ground_shadow, in_light, 4.0).rg;
    if (near.r <= 0.0) return 0.0;
    float blur = 1.2 + softness * near.g / near.r;  // texels
    float level = log2(blur);
    float size = exp2(level) / float(textureSize(ground_shadow, 0).x);
    // Four taps round the middle hide the cells of the coarse levels.
    float sum = 2.0 * textureLod(ground_shadow, in_light, level).r;
    sum += textureLod(ground_shadow, in_light + size * vec2(0.8, 0.35), level).r;
    sum += textureLod(ground_shadow, in_light + size * vec2(-0.8, -0.35), level).r;
    sum += textureLod(ground_shadow, in_light + size * vec2(-0.35, 0.8), level).r;
    sum += textureLod(ground_shadow, in_light + size * vec2(0.35, -0.8), level).r;
    return sum / 6.0;
}
#endif

void main() {
    vec2 pixel = max(fwidth(at), vec2(1e-7));
    float near = 1.0 - smoothstep(0.25, 1.0, length(at - target) / fade);
    float weak = grid(pixel, spacing.x, widths.x), strong = grid(pixel, spacing.y, widths.y);
    vec3 ink = mix(minor_color, major_color, strong);
    float cover = max(weak, strong);
    float on_x = line(at.y, pixel.y, widths.z), on_y = line(at.x, pixel.x, widths.z);
    ink = mix(mix(ink, y_color, on_y), x_color, on_x);
    cover = max(cover, max(on_x, on_y)) * near;
#ifdef SHADOWS
    float dark = shadow_opacity * shadow();
    float alpha = dark + cover * (1.0 - dark);
    // Lines lie on the ground: the shadow falls on them too.
    color = vec4(ink * (1.0 - dark) * cover / max(alpha, 1e-4), alpha);
#else
    color = vec4(ink, cover);
#endif
}
